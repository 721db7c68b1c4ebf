/** Each heading of an article is a link to itself, and each table scrolls inside a frame of its own. Rehype plugins. */
import type { Element, Root } from "hast";
import { SKIP, visit } from "unist-util-visit";
import type { VFile } from "vfile";

export function linkHeadings() {
  return (root: Root, file: VFile): void => {
    visit(root, "element", (node: Element) => {
      if (!/^h[2-4]$/.test(node.tagName) || node.properties.id === "footnote-label") return;
      visit(node, "element", (inner: Element) => {
        if (inner.tagName === "a")
          file.fail(
            "a heading is a link to itself: put the other link, or the footnote, into the text",
            node,
          );
      });
      const href = `#${String(node.properties.id)}`;
      node.children = [
        {
          type: "element",
          tagName: "a",
          properties: { className: ["anchor"], href },
          children: node.children as Element[],
        },
      ];
    });
  };
}

export function frameTables() {
  return (root: Root): void => {
    visit(root, "element", (node: Element, index, parent) => {
      if (node.tagName !== "table" || !parent || index === undefined) return undefined;
      parent.children[index] = {
        type: "element",
        tagName: "div",
        properties: { className: ["scroll"] },
        children: [node],
      };
      return SKIP;
    });
  };
}

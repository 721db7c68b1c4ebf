/** A formula that is wider than the screen scrolls, and must do so by keyboard, too. A rehype plugin. */
import type { Root } from "hast";
import { visit } from "unist-util-visit";

export function reachableMaths() {
  return (tree: Root): void =>
    visit(tree, "element", ({ properties }) => {
      const names = properties.className;
      if (Array.isArray(names) && names.includes("katex-display")) properties.tabIndex = 0;
    });
}

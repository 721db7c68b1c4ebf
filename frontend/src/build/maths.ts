/** Formulas, written in TeX, become MathML, which browsers draw by themselves. A rehype plugin over what remark-math
 *  leaves; TeX that cannot be read fails the build, with file and line. */
import type { Element, ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import temml from "temml";
import { SKIP, visit } from "unist-util-visit";
import type { VFile } from "vfile";
import { typeset } from "./typeset.ts";

const SETTINGS = {
  throwOnError: true,
  /** \of{scale}{s} marks a symbol with its concept. */
  macros: { "\\of": "\\data{concept=#1}{#2}" },
  trust: ({ command }: { command: string }) => command === "\\data",
};

export function maths() {
  return (tree: Root, file: VFile): void => {
    let found = false;

    function drawn(code: Element, displayMode: boolean, place: Element): Element {
      const tex = textOf(code);
      try {
        const html = temml.renderToString(tex, { ...SETTINGS, displayMode });
        found = true;
        return typeset(fromHtml(html, { fragment: true }).children[0] as Element);
      } catch (error) {
        const [why] = (error as Error).message.replace(/^ParseError: /, "").split(/ at (?:position|end)/);
        file.fail(`the formula ${tex.trim()} is no TeX that can be read: ${why!.trim()}`, place);
      }
    }

    visit(tree, "element", (node, index, parent) => {
      if (!parent || index === undefined) return undefined;
      const [inner] = node.children;
      if (isMaths(node, "math-inline"))
        parent.children[index] = bound(drawn(node, false, node), parent.children[index + 1]);
      else if (node.tagName === "pre" && inner?.type === "element" && isMaths(inner, "math-display"))
        parent.children[index] = framed(drawn(inner, true, node));
      else return undefined;
      return SKIP;
    });
    // Whether the page needs the font of formulas.
    (file.data.astro as { frontmatter: { maths?: boolean } }).frontmatter.maths = found;
  };
}

const textOf = ({ children: [only] }: Element): string => (only?.type === "text" ? only.value : "");

const isMaths = ({ tagName, properties }: Element, kind: string): boolean =>
  tagName === "code" && Array.isArray(properties.className) && properties.className.includes(kind);

/** What follows without a space stays on the line of its formula; a browser would begin the next one with a comma. */
function bound(formula: Element, next: RootContent | undefined): Element {
  const tail = next?.type === "text" && /^\S+/.exec(next.value)?.[0];
  if (!tail) return formula;
  next.value = next.value.slice(tail.length);
  const children: ElementContent[] = [formula, { type: "text", value: tail }];
  return { type: "element", tagName: "span", properties: { className: ["bound"] }, children };
}

/** What is wider than the screen scrolls, and must do so by keyboard, too (page/scrollers.ts). */
const framed = (formula: Element): Element => ({
  type: "element",
  tagName: "div",
  properties: { className: ["formula"], tabIndex: 0 },
  children: [formula],
});

/** Where MathML that browsers draw by its rules would look worse than TeX, this says what TeX does. */
import type { Element, Properties } from "hast";
import { visit } from "unist-util-visit";

const TIGHT: Properties = { lspace: "0em", rspace: "0em" };
const operator = (text: string, properties: Properties): Element => ({
  type: "element",
  tagName: "mo",
  properties,
  children: [{ type: "text", value: text }],
});

/** The same formula, changed in place. */
export function typeset(formula: Element): Element {
  const inline = formula.properties.display !== "block";
  delete formula.properties.style; // the browser has its own for a displayed formula
  visit(formula, "element", (node) => {
    const { tagName, properties } = node;
    const children = node.children as Element[];
    // Classes of Temml mend other fonts; only its tables need them (styles/maths.css).
    if (!tagName.startsWith("mt")) delete properties.className;
    if (tagName === "mo") spaced(node);
    if (tagName === "menclose" && properties.notation === "top") {
      node.tagName = "mover";
      node.properties = {};
      children.push(operator("‾", { stretchy: "true" }));
    }
    // What is small is set tight.
    if (/^m(sub|sup|under|over)/.test(tagName)) children.slice(1).forEach(tighten);
    if (inline && tagName === "mfrac") children.forEach(tighten);
    // A power stands beside a bracket as beside a letter.
    if (/^m(sub)?sup$/.test(tagName) && closes(children[0]!))
      children[0] = {
        type: "element",
        tagName: "mpadded",
        properties: { height: "0.6em" },
        children: [children[0]!],
      };
  });
  return formula;
}

function spaced(node: Element): void {
  const [text] = node.children;
  const sign = text?.type === "text" ? text.value : "";
  if (/^[…⋯]$/.test(sign))
    node.tagName = "mi"; // what stands beside dots brings the space
  else if (sign === "∫") node.properties.rspace = "0em";
  else if (node.properties.fence && !node.properties.form) Object.assign(node.properties, TIGHT);
}

const tighten = (part: Element): void =>
  visit(part, "element", ({ tagName, properties }) => {
    if (tagName === "mo") Object.assign(properties, TIGHT);
  });

const closes = ({ tagName, properties, children }: Element): boolean =>
  tagName === "mrow" ? closes(children.at(-1) as Element) : tagName === "mo" && properties.form === "postfix";

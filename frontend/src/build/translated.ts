/** What a translated article needs beside its text: links that say which language they lead to, and the words that the
 *  footnotes bring. A rehype plugin. */
import type { Element, Root, Text } from "hast";
import { visit } from "unist-util-visit";
import type { VFile } from "vfile";
import { BUILT } from "../words/built.ts";
import { languageAt } from "../words/languages.ts";
import { languageOf } from "./names.ts";

export function translated() {
  return (root: Root, file: VFile): void => {
    const own = languageOf(file.path);
    const { article } = BUILT[own];
    visit(root, "element", ({ tagName, properties, children }: Element) => {
      const href = String(properties.href ?? "");
      if (tagName === "a" && href.startsWith("/") && languageAt(href) !== own)
        properties.hrefLang = languageAt(href);
      if (properties.id === "footnote-label") (children[0] as Text).value = article.footnotes;
      if ("dataFootnoteBackref" in properties) {
        const number = /[\d-]+$/.exec(String(properties.ariaLabel))?.[0] ?? "";
        properties.ariaLabel = article.back(number);
      }
    });
  };
}

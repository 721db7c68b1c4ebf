/** What a translated article needs beside its text: links that say which language they lead to, and the words that the
 *  footnotes bring. A rehype plugin. */
import type { Element, Root, Text } from "hast";
import { visit } from "unist-util-visit";
import type { VFile } from "vfile";
import { built as de } from "../words/de/built.ts";
import { built as en, type Built } from "../words/en/built.ts";
import { FIRST, isLanguage, type Language } from "../words/languages.ts";

const DICTIONARIES: Record<Language, Built> = { en, de };

/** The language of a page of ours. */
function languageAt(path: string): Language {
  const [, first = ""] = path.split("/");
  return isLanguage(first) ? first : FIRST;
}

export function translated() {
  return (root: Root, file: VFile): void => {
    const said = /\.(\w+)\.mdx$/.exec(file.path)?.[1] ?? FIRST;
    const own = isLanguage(said) ? said : FIRST;
    const { article } = DICTIONARIES[own];
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

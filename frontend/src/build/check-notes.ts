/** Gives each `<Cite>` its source, each card its own name, each term the mark that follows it, and fails the build, with
 *  file and line, on a source or a term that is not there. A remark plugin. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Root } from "mdast";
import { visit } from "unist-util-visit";
import type { VFile } from "vfile";
import { FIRST } from "../words/languages.ts";
import { languageOf } from "./names.ts";

interface Attribute {
  type: string;
  name: string;
  value: unknown;
}
interface Node {
  type: string;
  name?: string;
  attributes?: Attribute[];
  value?: string;
}
interface Parent {
  children: Node[];
}
interface Source {
  key: string;
  title: string;
  href: string;
}

/** What never begins a line. */
const CLOSING = /^[.,:;!?)’”]+/;

const CONTENT = join(process.cwd(), "..", "content");

/** Takes the marks that a text begins with: a browser may break a line before them, since the term is a button. */
function following(next: Node | undefined): string {
  const [marks = ""] = (next?.type === "text" && next.value?.match(CLOSING)) || [];
  if (marks) next!.value = next!.value!.slice(marks.length);
  return marks;
}

/** A translation has the terms that are translated. */
function glossaryFor(article: string): string {
  const lang = languageOf(article);
  return lang === FIRST ? "glossary.json" : `glossary.${lang}.json`;
}

export function checkNotes() {
  return (root: Root, file: VFile): void => {
    const glossary = glossaryFor(file.path);
    const terms = Object.keys(JSON.parse(readFileSync(join(CONTENT, glossary), "utf-8")) as object);
    const given = file.data.astro?.frontmatter?.sources as unknown;
    const sources = Array.isArray(given) ? (given as Source[]) : [];
    const cited: Record<string, number> = {};
    let cards = 0;

    visit(root as never, (node: Node, index: number | undefined, parent: Parent | undefined) => {
      if (node.name === "Cite") cite(node);
      else if (node.name === "Gloss") gloss(node, parent?.children[index! + 1]);
      else if (node.name === "Aside" && node.type === "mdxJsxTextElement")
        file.fail("an <Aside> stands between paragraphs: put its tags on lines of their own", node as never);
    });
    ((file.data.astro ??= {}).frontmatter ??= {})["cited"] = cited;

    function cite(node: Node): void {
      const key = take(node, "key", sources.map((source) => source.key).join(", "));
      const index = sources.findIndex((source) => source.key === key);
      if (index < 0)
        file.fail(
          `no source of this article has the key ${key}; there are ${sources.map((source) => source.key).join(", ") || "none"}`,
          node as never,
        );
      const { title, href } = sources[index]!;
      const time = (cited[key] = (cited[key] ?? 0) + 1);
      // `key` never reaches a component, JSX keeps it to itself
      give(node, { number: String(index + 1), source: key, time: String(time), title, href });
    }

    function gloss(node: Node, next: Node | undefined): void {
      const term = take(node, "term", terms.join(", "));
      if (!terms.includes(term))
        file.fail(
          `the glossary has no term ${term}; add it to content/${glossary}, or use one of ${terms.join(", ")}`,
          node as never,
        );
      give(node, { term, after: following(next) });
    }

    function take(node: Node, name: string, known: string): string {
      const attributes = node.attributes ?? [];
      const other = attributes.find((one) => one.name !== name);
      if (other) file.fail(`<${node.name}> does not take ${other.name}; it takes ${name}`, node as never);
      const value = attributes[0]?.value;
      if (typeof value !== "string" || !value)
        file.fail(`<${node.name}> needs ${name}="…", one of ${known || "none so far"}`, node as never);
      return value as string;
    }

    function give(node: Node, values: Record<string, string>): void {
      cards += 1;
      node.attributes = Object.entries({ ...values, card: `card-${cards}` }).map(([name, value]) => ({
        type: "mdxJsxAttribute",
        name,
        value,
      }));
    }
  };
}

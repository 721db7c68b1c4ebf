/** After the site is built: each page keeps the styles that it can come to need, and no others.
 *
 *  Astro puts the styles of every component that a page's modules reach into the page, so of all figures, since one
 *  script can wake any of them, and those of all panels. Pages that import just their own figures would still carry the
 *  panels', which are as much again. Here a rule stays when the page or the scripts that wake its figures speak of the
 *  classes it names. What panels and workbenches need comes in a sheet of its own, with the first that is opened. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { parse, type ChildNode } from "postcss";
import { filesOf, scriptsIn, wished } from "./chunks.ts";

const STYLE = /<style>([\s\S]*?)<\/style>/;

export function pageStyles(): AstroIntegration {
  return {
    name: "page-styles",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const site = fileURLToPath(dir);
        const files = await readdir(site, { recursive: true });
        const pages = files.filter((file) => file.endsWith(".html") && !/^(copies|pyodide)\//.test(file));
        const all = new Set<string>();
        const slim = new Map<string, { html: string; rules: string[] }>();
        for (const page of pages) {
          const html = await readFile(join(site, page), "utf-8");
          const whole = STYLE.exec(html)?.[1];
          if (whole === undefined) continue;
          all.add(whole);
          const words = [wordsIn(html.replace(STYLE, "")), ...wordsOfScripts(filesOf(html))];
          slim.set(page, { html, rules: rulesFor(whole, words) });
        }
        // What every page has is not sent again.
        const often = new Map<string, number>();
        for (const { rules } of slim.values())
          for (const rule of new Set(rules)) often.set(rule, (often.get(rule) ?? 0) + 1);
        const words = wordsOfScripts(wished());
        const later = new Set([...all].flatMap((whole) => rulesFor(whole, words)));
        const rest = [...later].filter((rule) => often.get(rule) !== slim.size).join("\n");
        const name = `_astro/later.${hash(rest, "hex").slice(0, 8)}.css`;
        await writeFile(join(site, name), rest);
        for (const [page, { html, rules }] of slim)
          await writeFile(join(site, page), put(html, rules.join(""), name));
      },
    },
  };
}

function put(html: string, css: string, later: string): string {
  // The policy lists each part that Astro put together; what stays is one.
  const policy = (found: string) =>
    found.replaceAll(/ 'sha256-[^']+'/g, "") + ` 'sha256-${hash(css, "base64")}'`;
  return html
    .replace(STYLE, () => `<meta name="later-styles" content="/${later}"><style>${css}</style>`)
    .replace(/(?<=; )style-src [^;]*/, policy);
}

const wordsIn = (text: string) => new Set(text.match(/[\w-]+/g));

const known = new Map<string, Set<string>>();
/** Read once for all pages. */
const wordsOfScripts = (files: Set<string>): Set<string>[] =>
  scriptsIn(files).map((code) => known.get(code) ?? known.set(code, wordsIn(code)).get(code)!);

/** What is left of a rule where only some words are spoken: all of it, some of its selectors, or nothing. */
type Rule = (spoken: (word: string) => boolean) => string;

const sheets = new Map<string, Rule[]>();

/** The rules that can match something of which somebody speaks. */
function rulesFor(css: string, words: Set<string>[]): string[] {
  if (!sheets.has(css)) sheets.set(css, parse(css).nodes.map(ruleOf));
  const spoken = (word: string) => words.some((some) => some.has(word));
  const rules = sheets.get(css)!.map((rule) => rule(spoken));
  return withoutUnusedFonts(rules.filter(Boolean));
}

function ruleOf(node: ChildNode): Rule {
  const whole = String(node);
  if (node.type === "rule") {
    const selectors = node.selectors.map((selector) => ({ selector, names: required(selector) }));
    const body = whole.slice(node.selector.length);
    return (spoken) => {
      const alive = selectors.filter(({ names }) => names.every(spoken));
      if (alive.length === selectors.length) return whole;
      return alive.length > 0 ? alive.map(({ selector }) => selector).join(",") + body : "";
    };
  }
  if (node.type !== "atrule") return () => whole;
  if (!node.nodes) return () => `${whole};`;
  if (node.name.endsWith("keyframes") || node.nodes.every(({ type }) => type === "decl")) return () => whole;
  const inner = node.nodes.map(ruleOf);
  return (spoken) => {
    const left = inner.map((rule) => rule(spoken)).join("");
    return left && `@${node.name} ${node.params}{${left}}`;
  };
}

/** Classes without which a selector matches nothing. Of a component's own it is the component's, since a figure may take
 *  the others from an event that is still to come. What stands in :is(), :not() and the like may be a choice, so it
 *  requires none; Svelte's :where(.svelte-…) is no choice. */
function required(selector: string): string[] {
  let plain = selector.replace(/\[[^\]]*\]/g, "").replace(/:where\((\.[\w-]+)\)/g, "$1");
  for (let before = ""; before !== plain;) [before, plain] = [plain, plain.replace(/\([^()]*\)/g, "")];
  const names = [...plain.matchAll(/\.([\w-]+)/g)].map(([, name]) => name!);
  const scopes = names.filter((name) => name.startsWith("svelte-"));
  return scopes.length > 0 ? scopes : names;
}

function withoutUnusedFonts(rules: string[]): string[] {
  const family = (rule: string) => /^@font-face\s*\{[^}]*?font-family:\s*["']?([^;}"']+)/.exec(rule)?.[1];
  const others = rules.filter((rule) => !family(rule)).join("");
  return rules.filter((rule) => others.includes(family(rule) ?? ""));
}

const hash = (text: string, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(text).digest(encoding);

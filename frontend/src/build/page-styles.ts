/** After the site is built: each page keeps the styles that it can come to need, and no others.
 *
 *  Astro puts the styles of every component that a page's modules reach into the page, so of all figures, since one
 *  script can wake any of them. Here a rule stays when the page or the scripts that wake its figures speak of the
 *  classes it names. What panels and workbenches need comes in a sheet of its own, with the first that is opened. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { parse, type AtRule } from "postcss";
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
        const slim = new Map<string, { html: string; css: string }>();
        for (const page of pages) {
          const html = await readFile(join(site, page), "utf-8");
          const whole = STYLE.exec(html)?.[1];
          if (whole === undefined) continue;
          rulesOf(whole).forEach((rule) => all.add(rule));
          const texts = [html.replace(STYLE, ""), ...scriptsIn(filesOf(html))];
          slim.set(page, { html, css: kept(whole, texts) });
        }
        // What every page has is not sent again.
        const sheets = [...slim.values()].map(({ css }) => rulesOf(css));
        const everywhere = (rule: string) => sheets.every((sheet) => sheet.has(rule));
        const later = kept([...all].join("\n"), scriptsIn(wished()));
        const rest = [...rulesOf(later)].filter((rule) => !everywhere(rule)).join("\n");
        const name = `_astro/later.${hash(rest, "hex").slice(0, 8)}.css`;
        await writeFile(join(site, name), rest);
        for (const [page, { html, css }] of slim) await writeFile(join(site, page), put(html, css, name));
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

const rulesOf = (css: string): Set<string> => new Set(parse(css).nodes.map(String));

/** The rules that can match something of which one of the texts speaks. */
function kept(css: string, texts: string[]): string {
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const root = parse(css);
  root.walkRules((rule) => {
    if (rule.parent?.type === "atrule" && (rule.parent as AtRule).name.endsWith("keyframes")) return;
    const alive = rule.selectors.filter((one) => required(one).every((name) => words.has(name)));
    if (alive.length === 0) rule.remove();
    else rule.selectors = alive;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return withoutUnusedFonts(String(root));
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

function withoutUnusedFonts(css: string): string {
  const faces = /@font-face\s*\{[^}]*?font-family:\s*([^;}]+)[^}]*\}/g;
  const rest = css.replace(faces, "");
  return css.replace(faces, (face, family: string) =>
    rest.includes(family.replace(/["']/g, "")) ? face : "",
  );
}

const hash = (text: string, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(text).digest(encoding);

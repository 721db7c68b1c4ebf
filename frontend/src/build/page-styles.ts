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
import { parse } from "postcss";
import { PurgeCSS } from "purgecss";
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
          slim.set(page, { html, css: await kept(whole, texts) });
        }
        // What every page has is not sent again.
        const sheets = [...slim.values()].map(({ css }) => rulesOf(css));
        const everywhere = (rule: string) => sheets.every((sheet) => sheet.has(rule));
        const later = await kept([...all].join("\n"), scriptsIn(wished()));
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

/** The rules whose classes, tags and attributes one of the texts speaks of. */
async function kept(css: string, texts: string[]): Promise<string> {
  const [made] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content: texts.map((raw) => ({ raw, extension: "html" })),
    // State that scripts set by other names than a sheet's: dataset.someThing is [data-some-thing].
    dynamicAttributes: [...css.matchAll(/\[([\w-]+)/g)].map(([, name]) => name!),
    keyframes: true,
  });
  return withoutUnusedFonts(made!.css);
}

/** PurgeCSS does not see that a family is named in a variable. */
function withoutUnusedFonts(css: string): string {
  const faces = /@font-face\s*\{[^}]*?font-family:\s*([^;}]+)[^}]*\}/g;
  const rest = css.replace(faces, "");
  return css.replace(faces, (face, family: string) =>
    rest.includes(family.replace(/["']/g, "")) ? face : "",
  );
}

const hash = (text: string, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(text).digest(encoding);

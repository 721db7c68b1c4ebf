/** After the site is built: of every article with figures a copy in one file, which opens from a disk without a
 *  network. Its styles, fonts, scripts and recorded runs are inside, and its policy lets no request out. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { figuresOf } from "./chunks.ts";
import { bundle } from "./copy-bundle.ts";
import { inlineFonts } from "./copy-fonts.ts";
import { idOf, nameOf } from "./names.ts";

const CONTENT = join(process.cwd(), "..", "content");
const ICON = /<link rel="icon"[^>]*>/;

export function copies(): AstroIntegration {
  return {
    name: "copies",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const site = fileURLToPath(dir);
        for (const article of await articles()) {
          const page = join(site, article, "index.html");
          const html = await readFile(page, "utf-8");
          const made = await copyOf(html, site);
          const path = join(site, "copies", `${article}.html`);
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, made);
          const megabytes = Buffer.byteLength(made) / 1e6;
          const lang = languageOf(html);
          const size = `${megabytes.toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
          await writeFile(page, html.replace(/(<a [^>]*data-copy[^>]*>[^<(]*?)\s*<\/a>/, `$1 (${size})</a>`));
          logger.info(`/copies/${article}.html, ${size}`);
        }
      },
    },
  };
}

/** The articles' addresses, read off the files that make them. */
async function articles(): Promise<string[]> {
  const files = await readdir(CONTENT, { recursive: true });
  return files.filter((file) => file.endsWith(".mdx")).map((file) => idOf(nameOf(file)));
}

const languageOf = (html: string) => /<html lang="(\w+)"/.exec(html)![1]!;

async function copyOf(html: string, site: string): Promise<string> {
  const figures = figuresOf(html);
  const lang = languageOf(html);
  const { script, css: ours } = await bundle(lang, [...new Set(figures.map(({ lab }) => lab.id))]);
  const main = /<main id="main"[\s\S]*<\/main>/
    .exec(html)![0]
    .replaceAll(/<script type="module"[^>]*><\/script>/g, "")
    .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/g, "")
    .replaceAll(/<a ([^>]*)href="\/[^"]*"/g, "<a $1"); // nothing of the site lies beside the file
  // Astro puts a style sheet into the page or beside it, as its settings say.
  const sheets = html.matchAll(/<link rel="stylesheet" href="([^"]+)"|<style[^>]*>([\s\S]*?)<\/style>/g);
  const texts = await Promise.all(
    [...sheets].map(([, href, text]) => (href ? readFile(join(site, href), "utf-8") : text!)),
  );
  const css = await inlineFonts(
    [...texts, ours, "[data-online] { display: none !important; }"].join("\n"),
    main,
    site,
  );
  const fetched = figures.flatMap(({ lab, first }) => [
    `/recordings/${first.recording}.json`,
    `/labs/${lab.id}.fields.json`,
  ]);
  const carried = await Promise.all(
    [...new Set(fetched)].map(async (address) => {
      const json = JSON.stringify(JSON.parse(await readFile(join(site, address), "utf-8")));
      return `<script type="application/json" data-carried="${address}">${json.replaceAll("<", "\\u003c")}</script>`;
    }),
  );
  const hash = createHash("sha256").update(script).digest("base64");
  const icon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(await readFile(join(site, "favicon.svg"), "utf-8"))}">`;
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; font-src data:; img-src data: blob:`;
  const head = [
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    /<title>[\s\S]*?<\/title>/.exec(html)![0],
    ICON.test(html) ? icon : "",
    `<style>${css}</style>`,
  ].join("\n");
  return `<!doctype html>\n${/<html [^>]*>/.exec(html)![0]}<head>\n${head}\n</head><body>\n${main}\n${carried.join("\n")}\n<script>${script}</script>\n</body></html>\n`;
}

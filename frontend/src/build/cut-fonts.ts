/** After the site is built: its fonts keep the letters that it writes, and the weights and features that its styles ask
 *  for. What a phone waits for is four tenths; of the font of formulas, a thirtieth. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { fromHtml } from "hast-util-from-html";
import subset, { type Options } from "subset-font";
import { visit } from "unist-util-visit";
import { hashOf, kept } from "./kept.ts";

/** Where words come from: pages, scripts, labs and their recorded runs. */
const WRITTEN = /^(?!pyodide|pagefind).*\.(html|js|json|py)$/;
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

const WEIGHTS = { wght: { min: 400, max: 700, default: 400 } };
/** What browsers do unasked, and figures of one width (font-variant-numeric: tabular-nums). */
const FEATURES = ["ccmp", "clig", "kern", "liga", "locl", "mark", "mkmk", "rlig", "rvrn", "tnum"];

interface Cut {
  font: RegExp;
  letters: (text: string) => Iterable<string>;
  options: Options;
}
const CUTS: Cut[] = [
  {
    font: /^((?:inter|source-serif-4)-latin-wght-.*)\.[\w-]+\.woff2$/,
    letters: written,
    options: { variationAxes: WEIGHTS, keepFeatures: [...FEATURES, "calt"] },
  },
  {
    // Its "calt" joins <= and -> to one sign: a program is read character by character.
    font: /^(jetbrains-mono-latin-wght-.*)\.[\w-]+\.woff2$/,
    letters: written,
    options: { variationAxes: WEIGHTS, keepFeatures: FEATURES },
  },
  { font: /^(stix-two-math-.*)\.[\w-]+\.woff2$/, letters: ofFormulas, options: {} },
];

export function cutFonts(): AstroIntegration {
  return {
    name: "cut-fonts",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const site = fileURLToPath(dir);
        const files = await readdir(site, { recursive: true });
        const texts = new Map<string, string>();
        for (const file of files.filter((file) => WRITTEN.test(file)))
          texts.set(file, await readFile(join(site, file), "utf-8"));
        const renamed = new Map<string, string>();
        for (const { font, letters, options } of CUTS) {
          const wanted = new Set<string>();
          for (const text of texts.values()) for (const letter of letters(text)) wanted.add(letter);
          const words = [...wanted].sort().join("");
          for (const file of await readdir(join(site, "_astro"))) {
            const name = font.exec(file)?.[1];
            if (!name) continue;
            const whole = await readFile(join(site, "_astro", file));
            const cut = await cutOf(name, whole, words, {
              targetFormat: "woff2",
              noHinting: true,
              ...options,
            });
            const hash = createHash("sha256").update(cut).digest("base64url").slice(0, 8);
            renamed.set(file, `${name}.${hash}.woff2`);
            await rm(join(site, "_astro", file));
            await writeFile(join(site, "_astro", renamed.get(file)!), cut);
            logger.info(`${name}: ${whole.length} to ${cut.length} bytes`);
          }
        }
        for (const [path, text] of texts) {
          let changed = text;
          for (const [from, to] of renamed) changed = changed.replaceAll(from, to);
          if (changed !== text) await writeFile(join(site, path), changed);
        }
      },
    },
  };
}

async function cutOf(name: string, whole: Buffer, words: string, options: Options): Promise<Buffer> {
  const key = hashOf(whole, words, JSON.stringify(options));
  const cut = async () => (await subset(whole, words, options)).toString("base64");
  return Buffer.from(await kept(`font/${name}`, key, cut), "base64");
}

/** All letters of a text, those that JSON and scripts write as numbers, too, and what a reader types most. */
function written(text: string): string[] {
  const codes = text.matchAll(/\\u([0-9a-f]{4})/gi);
  const others = text.match(/[^ -~]/gu) ?? []; // of 40 MB, nearly all is what a reader types
  return [...others, ...Array.from(codes, ([, code]) => String.fromCharCode(parseInt(code!, 16))), ...ASCII];
}

/** The letters of a page's formulas. */
function ofFormulas(html: string): string[] {
  const letters: string[] = [];
  for (const [formula] of html.matchAll(/<math[\s>][\s\S]*?<\/math>/g))
    visit(fromHtml(formula, { fragment: true }), (node) => {
      if (node.type === "text") letters.push(...node.value);
      if (node.type === "element" && /^m(sqrt|root)$/.test(node.tagName)) letters.push("√"); // nobody writes it
    });
  return letters.flatMap((letter) => [letter, ...italics(letter)]);
}

/** A letter that stands alone is drawn in italics, which are letters of their own in Unicode: two alphabets, Latin and
 *  Greek, and an h that was there before them. */
const ITALICS = [..."ℎ", ...range(0x1d434, 0x1d467), ...range(0x1d6e2, 0x1d71b)];
const italics = (letter: string): string[] =>
  ITALICS.filter((one) => one.normalize("NFKC") === letter.normalize("NFKC"));

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
}

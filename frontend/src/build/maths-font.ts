/** After the site is built: the font of formulas keeps the letters that some formula has, a hundredth of the whole. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { fromHtml } from "hast-util-from-html";
import subset from "subset-font";
import { visit } from "unist-util-visit";

const WHOLE = /^stix-two-math-.*\.woff2$/;

export function mathsFont(): AstroIntegration {
  return {
    name: "maths-font",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const site = fileURLToPath(dir);
        const whole = (await readdir(join(site, "_astro"))).find((file) => WHOLE.test(file))!;
        const files = await readdir(site, { recursive: true });
        const pages = await Promise.all(
          files
            .filter((file) => file.endsWith(".html"))
            .map(async (file) => ({
              path: join(site, file),
              html: await readFile(join(site, file), "utf-8"),
            })),
        );
        const letters = new Set(pages.flatMap(({ html }) => lettersOf(html)));
        const font = await subset(await readFile(join(site, "_astro", whole)), [...letters].join(""), {
          targetFormat: "woff2",
          noHinting: true,
        });
        const name = `maths.${createHash("sha256").update(font).digest("hex").slice(0, 8)}.woff2`;
        await writeFile(join(site, "_astro", name), font);
        for (const { path, html } of pages)
          if (html.includes(whole)) await writeFile(path, html.replaceAll(whole, name));
        await rm(join(site, "_astro", whole));
        logger.info(`${letters.size} letters, ${(font.length / 1000).toFixed(1)} kB`);
      },
    },
  };
}

/** The letters of a page's formulas. */
function lettersOf(html: string): string[] {
  const letters: string[] = [];
  for (const [formula] of html.matchAll(/<math[\s>][\s\S]*?<\/math>/g))
    visit(fromHtml(formula, { fragment: true }), "text", ({ value }) => {
      letters.push(...value);
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

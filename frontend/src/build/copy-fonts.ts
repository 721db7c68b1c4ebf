/** Fonts inside a style sheet: only faces that a text needs, each as a data URL. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export async function inlineFonts(css: string, html: string, site: string): Promise<string> {
  const letters = new Set(Array.from(html, (letter) => letter.codePointAt(0)!));
  const seen = new Set<string>();
  const rules = [...css.matchAll(/@font-face\s*\{[^}]*\}/g)].map(([rule]) => rule);
  let out = css;
  for (const rule of new Set(rules)) {
    const file = /url\("?([^")]+\.woff2)"?\)/.exec(rule)?.[1];
    const wanted = file && !seen.has(rule) && covers(rule, letters) && used(rule, html);
    seen.add(rule);
    out = out.replaceAll(rule, wanted ? inlined(rule, await readFile(join(site, file))) : "");
  }
  return out;
}

const inlined = (rule: string, font: Buffer) =>
  rule
    .replace(/font-display:[^;}]*;?/, "")
    .replace(/src:[^;}]*/, `src:url(data:font/woff2;base64,${font.toString("base64")})format("woff2")`);

/** Whether a face has any letter of the text; one without a range may have all. */
function covers(rule: string, letters: Set<number>): boolean {
  const ranges = /unicode-range:([^;}]*)/.exec(rule)?.[1];
  if (!ranges) return true;
  return ranges.split(",").some((range) => {
    const [low, high = low] = range.trim().replace(/^U\+/i, "").split("-");
    const from = parseInt(low!.replaceAll("?", "0"), 16);
    const to = parseInt(high!.replaceAll("?", "F"), 16);
    return [...letters].some((letter) => from <= letter && letter <= to);
  });
}

/** The face of formulas has no range: its letters are only theirs (cut-fonts.ts). */
const used = (rule: string, html: string): boolean => !rule.includes("Math") || html.includes("<math");

/** Marks names in fenced code with their concepts: ```python marks="s=scale z=zero". A Shiki transformer. */
import type { ShikiTransformer } from "shiki";

export interface Mark {
  word: string;
  id: string;
}

export function marksOf(meta: string | null | undefined): Mark[] {
  const pairs = /\bmarks="([^"]*)"/.exec(meta ?? "")?.[1] ?? "";
  return pairs
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => {
      const [word = "", id = ""] = pair.split("=");
      return { word, id };
    });
}

export const conceptCode: ShikiTransformer = {
  name: "concepts",
  preprocess(code, options) {
    for (const { word, id } of marksOf(options.meta?.__raw)) {
      for (const { index, 0: found } of code.matchAll(new RegExp(`\\b${word}\\b`, "g"))) {
        const line = code.slice(code.lastIndexOf("\n", index) + 1, index);
        if (line.includes("#")) continue; // a comment speaks for itself
        options.decorations ??= [];
        options.decorations.push({
          start: index,
          end: index + found.length,
          properties: { "data-concept": id },
        });
      }
    }
  },
};

import type { Speech } from "../index.ts";
import { de } from "./index.ts";

const catalogues = import.meta.glob<Record<string, string>>("../../../../content/*/words.de.json", {
  eager: true,
  import: "default",
});

export const speech: Speech = {
  lang: "de",
  words: de,
  later: () => import("./later.ts"),
  catalogue: Object.assign({}, ...Object.values(catalogues)) as Record<string, string>,
};

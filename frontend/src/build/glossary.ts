/** The terms of `content/glossary.json`, in the order of the alphabet. */
import { slug } from "github-slugger";
import definitions from "../../../content/glossary.json";

export interface Entry {
  term: string;
  id: string;
  definition: string;
}

export const glossary: Entry[] = Object.entries(definitions as Record<string, string>)
  .map(([term, definition]) => ({ term, id: slug(term), definition }))
  .sort((a, b) => a.term.localeCompare(b.term, "en", { sensitivity: "base" }));

export function entryOf(term: string): Entry {
  const entry = glossary.find((one) => one.term === term);
  if (!entry) throw new Error(`no term is called ${term}`); // check-notes.ts has said so before, with its line
  return entry;
}

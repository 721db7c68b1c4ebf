/** The terms of `content/glossary.json`, in the order of the alphabet; in another language those that
 *  `content/glossary.<lang>.json` has. */
import { slug } from "github-slugger";
import english from "../../../content/glossary.json";
import { FIRST, type Language } from "../words/languages";

interface Translated {
  term: string;
  definition: string;
}

export interface Entry extends Translated {
  /** What articles call it, in every language. */
  key: string;
  id: string;
}

const translated = import.meta.glob<Record<string, Translated>>("../../../content/glossary.*.json", {
  eager: true,
  import: "default",
});

export function glossaryOf(lang: Language): Entry[] {
  const other = translated[`../../../content/glossary.${lang}.json`];
  const entries = Object.entries(english as Record<string, string>).flatMap(([key, definition]) => {
    const said = lang === FIRST ? { term: key, definition } : other?.[key];
    return said ? [{ key, id: slug(key), ...said }] : [];
  });
  return entries.sort((a, b) => a.term.localeCompare(b.term, lang, { sensitivity: "base" }));
}

export function entryOf(key: string, lang: Language): Entry {
  const entry = glossaryOf(lang).find((one) => one.key === key);
  if (!entry) throw new Error(`no term is called ${key}`); // check-notes.ts has said so before, with its line
  return entry;
}

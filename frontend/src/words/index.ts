/** The words of the page, in its language: of the interface from a dictionary (`en/`, and the same shape in each other
 *  language; what only the build writes is in built.ts), of labs and figures from a catalogue keyed by their English.
 *  Where a page is built, middleware.ts says which language it has; in the browser the page loads its own and no other
 *  (speak/). */
import type { Words } from "./en/index.ts";
import type { Later } from "./en/later.ts";
import type { Language } from "./languages.ts";
import { english, translated, type Sentence } from "./sentence.ts";

export interface Speech {
  lang: Language;
  words: Words;
  later: () => Promise<{ later: Later }>;
  /** `content/<series>/words.<lang>.json`. */
  catalogue: Record<string, string>;
}

let speech: () => Speech = () => {
  throw new Error("the language of this page is not known");
};

export const speak = (source: () => Speech): void => void (speech = source);

export const texts = (): Words => speech().words;
export const lang = (): Language => speech().lang;

let fetched: Later;

/** Fetches the words of what opens on a reader's wish; opening it waits for them. */
export async function fetchLater(): Promise<void> {
  ({ later: fetched } = await speech().later());
}
export const later = (): Later => fetched;

/** What a lab or a figure says in English, in the language of the page, as far as its catalogue has it. `{}` stands for
 *  what follows, in this order. */
export function tr(english: string, ...values: (string | number)[]): string {
  let place = 0;
  return (speech().catalogue[english] ?? english).replaceAll("{}", () => String(values[place++]));
}

/** What a run says: in the language of the page where a catalogue has its template, else in English, and marked so. */
export function said(sentence: Sentence): { words: string; lang?: "en" } {
  if (lang() === "en") return { words: english(sentence) };
  const words = translated(sentence, speech().catalogue, written);
  return words === undefined ? { words: english(sentence), lang: "en" } : { words };
}

/** The language of what is English on every page, for those who read it aloud; nothing on an English page. */
export const spokenEnglish = (): "en" | undefined => (lang() === "en" ? undefined : "en");

/** A number in English notation, as the language of the page writes it. */
export function written(english: string): string {
  const { decimal, group } = texts().notation;
  return english.replace(/[.,]/g, (sign) => (sign === "." ? decimal : group)).replace("-", "−");
}

/** A number in a field, and as a program reads what was typed there. */
export const toField = (value: number): string => String(value).replace(".", texts().notation.decimal);
export const fromField = (text: string): string => text.replace(texts().notation.decimal, ".");

/** A number with its thousands apart, and at most so many digits of a fraction. */
export const number = (value: number, digits = 3): string =>
  value.toLocaleString(lang(), { maximumFractionDigits: digits });

/** A day, or a moment, of the form `2026-11-20T09:00:00Z`. */
export const day = (iso: string): string =>
  texts().notation.date(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10));
export const moment = (iso: string): string => `${day(iso)}, ${iso.slice(11, 19)} UTC`;

/** The languages of the book. The first has every page, and its addresses no prefix. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export const FIRST: Language = LANGUAGES[0];

export const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/** The language of a page of ours. */
export function languageAt(path: string): Language {
  const [, first = ""] = path.split("/");
  return isLanguage(first) ? first : FIRST;
}

/** The address of a page of ours, the same in all its languages. */
export const withoutLanguage = (path: string): string =>
  languageAt(path) === FIRST ? path : path.slice(path.indexOf("/", 1));

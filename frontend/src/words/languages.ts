/** The languages of the book. The first has every page, and its addresses no prefix. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export const FIRST: Language = LANGUAGES[0];

export const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

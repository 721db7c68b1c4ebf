/** The words that the build writes into pages; only what is drawn at build time may ask for them. */
import { built as de } from "./de/built.ts";
import { built as en, type Built } from "./en/built.ts";
import { lang } from "./index.ts";
import type { Language } from "./languages.ts";

export const BUILT: Record<Language, Built> = { en, de };

export const built = (): Built => BUILT[lang()];

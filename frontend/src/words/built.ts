/** The words that the build writes into pages; only what is drawn at build time may ask for them. */
import { built as de } from "./de/built";
import { built as en, type Built } from "./en/built";
import { lang } from "./index";
import type { Language } from "./languages";

const BUILT: Record<Language, Built> = { en, de };

export const built = (): Built => BUILT[lang()];

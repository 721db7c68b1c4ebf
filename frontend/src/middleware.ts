/** Says, while a page is built, which language it speaks: whatever draws a part of it asks words/. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { MiddlewareHandler } from "astro";
import { speak, type Speech } from "./words";
import { speech as de } from "./words/de/speech";
import { speech as en } from "./words/en/speech";
import type { Language } from "./words/languages";

const SPEECHES: Record<Language, Speech> = { en, de };
const spoken = new AsyncLocalStorage<Speech>();
speak(() => spoken.getStore()!);

export const onRequest: MiddlewareHandler = ({ currentLocale }, next) =>
  spoken.run(SPEECHES[(currentLocale ?? "en") as Language], next);

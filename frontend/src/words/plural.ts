/** Nouns beside numbers. */
import type { Language } from "./languages.ts";

/** For one language: a number, and the form of the noun that goes with it. */
export function counter(lang: Language): (count: number, one: string, other: string) => string {
  let rules: Intl.PluralRules | undefined; // made when first needed: it takes its time
  return (count, one, other) => {
    rules ??= new Intl.PluralRules(lang);
    return `${count.toLocaleString(lang)} ${rules.select(count) === "one" ? one : other}`;
  };
}

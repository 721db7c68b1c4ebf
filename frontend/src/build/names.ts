/** What the name of an article's file says: `<series>/<nn>-<slug>.mdx`, of a translation `<series>/<nn>-<slug>.de.mdx`. */
import { FIRST, isLanguage, LANGUAGES, type Language } from "../words/languages.ts";

export interface Name {
  lang: Language;
  /** `series/slug`, the same in every language. */
  key: string;
  /** The file that a translation translates. */
  original: string;
}

/** `file` is a path below content/. */
export function nameOf(file: string): Name {
  const [, series, number, slug, lang = FIRST] = /^([^/]+)\/(\d+)-([^.]+)(?:\.(.+))?\.mdx$/.exec(file) ?? [];
  if (!slug || !isLanguage(lang))
    throw new Error(
      `${file} is not called <series>/<nn>-<slug>.mdx, nor that with a language of ${LANGUAGES.slice(1).join(", ")} before .mdx`,
    );
  return { lang, key: `${series}/${slug}`, original: `${series}/${number}-${slug}.mdx` };
}

/** The language of an article's file, wherever it lies. */
export function languageOf(path: string): Language {
  const said = /\.(\w+)\.mdx$/.exec(path)?.[1] ?? FIRST;
  return isLanguage(said) ? said : FIRST;
}

/** The address of an article, and its id in the collection, without the slashes around it. */
export const idOf = ({ lang, key }: Name): string => (lang === FIRST ? key : `${lang}/${key}`);

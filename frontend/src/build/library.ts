/** The articles and series, as the pages list them. Order comes from file names, never from a list. A list holds each
 *  article once, in the language that it was written in first; `inLanguage` is what a reader of another one is given. */
import { getCollection, type CollectionEntry } from "astro:content";
import { wholeSeries } from "./whole";
import { FIRST, languageAt, LANGUAGES, type Language } from "../words/languages";

export type Article = CollectionEntry<"articles">;
export type Series = CollectionEntry<"series">;

/** What an article is called in every language: in progress, in lists and on cards. */
export const keyOf = (article: Article): string => article.id.split("/").slice(-2).join("/");
export const seriesOf = (article: Article): string => keyOf(article).split("/")[0]!;
export const addressOf = (article: Article): string => `/${article.id}/`;

/** Where a series is read about: of one that is a single article, there. */
export const seriesAddress = ({ id }: Series): string => wholeSeries()[`/${id}/`] ?? `/${id}/`;

export const langOf = (article: Article): Language => languageAt(addressOf(article));

export async function allSeries(): Promise<Series[]> {
  return (await getCollection("series")).sort((a, b) => a.data.order - b.data.order);
}

export async function articlesOf(series: string): Promise<Article[]> {
  const all = await getCollection(
    "articles",
    (article) => langOf(article) === FIRST && seriesOf(article) === series,
  );
  return all.sort((a, b) => (a.filePath ?? "").localeCompare(b.filePath ?? ""));
}

/** Every article, in the order in which the book is read. */
export async function allArticles(): Promise<Article[]> {
  return (await Promise.all((await allSeries()).map((series) => articlesOf(series.id)))).flat();
}

/** An article in all its languages. */
export async function translationsOf(article: Article): Promise<Article[]> {
  const all = await getCollection("articles", (one) => keyOf(one) === keyOf(article));
  return all.sort((a, b) => LANGUAGES.indexOf(langOf(a)) - LANGUAGES.indexOf(langOf(b)));
}

/** An article for readers of a language: translated, where it is. */
export async function inLanguage(article: Article, lang: Language): Promise<Article> {
  return (await translationsOf(article)).find((one) => langOf(one) === lang) ?? article;
}

/** What stands before and after an article, also in another series. */
export async function neighboursOf(article: Article): Promise<{ previous?: Article; next?: Article }> {
  const all = await allArticles();
  const at = all.findIndex((one) => keyOf(one) === keyOf(article));
  const give = (one: Article | undefined) => one && inLanguage(one, langOf(article));
  const [previous, next] = await Promise.all([give(all[at - 1]), give(all[at + 1])]);
  return { previous, next };
}

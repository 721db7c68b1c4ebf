/** The articles and series, as the pages list them. Order comes from file names, never from a list. */
import { getCollection, type CollectionEntry } from "astro:content";

export type Article = CollectionEntry<"articles">;
export type Series = CollectionEntry<"series">;

export const seriesOf = (article: Article): string => article.id.split("/")[0]!;
export const addressOf = (article: Article): string => `/${article.id}/`;

export async function allSeries(): Promise<Series[]> {
  return (await getCollection("series")).sort((a, b) => a.data.order - b.data.order);
}

export async function articlesOf(series: string): Promise<Article[]> {
  const all = await getCollection("articles", (article) => seriesOf(article) === series);
  return all.sort((a, b) => (a.filePath ?? "").localeCompare(b.filePath ?? ""));
}

/** Every article, in the order in which the book is read. */
export async function allArticles(): Promise<Article[]> {
  return (await Promise.all((await allSeries()).map((series) => articlesOf(series.id)))).flat();
}

/** What stands before and after an article, also in another series. */
export async function neighboursOf(article: Article): Promise<{ previous?: Article; next?: Article }> {
  const all = await allArticles();
  const at = all.findIndex((one) => one.id === article.id);
  return { previous: all[at - 1], next: all[at + 1] };
}

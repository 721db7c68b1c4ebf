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

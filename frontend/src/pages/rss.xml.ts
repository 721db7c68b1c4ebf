/** The feed of all articles. Its addresses begin with the site's own, UNDERHOOD_ORIGIN at build time. */
import rss from "@astrojs/rss";
import type { APIRoute } from "astro";
import { lang } from "../words";
import { built } from "../words/built";
import { addressOf, allArticles, allSeries, seriesOf } from "../build/library";

export const GET: APIRoute = async ({ site }) => {
  const titles = new Map((await allSeries()).map((series) => [series.id, series.data.title]));
  return rss({
    title: "Underhood",
    description: built().feed,
    site: site!,
    customData: `<language>${lang()}</language>`,
    items: (await allArticles()).map((article) => ({
      title: article.data.title,
      description: article.data.summary,
      link: addressOf(article),
      pubDate: article.data.published,
      categories: [titles.get(seriesOf(article))!],
    })),
  });
};

/** What scripts say that stand around the text. */

import { counter } from "../plural.ts";

const counted = counter("en");

export const site = {
  theme: { light: "Light", dark: "Dark" },
  read: "read",
  go: "Continue reading",
  search: {
    none: (words: string) => `Nothing was found for “${words}”.`,
    count: (places: number, pages: number, instead?: string) =>
      `${counted(places, "place", "places")} on ${counted(pages, "page", "pages")}${instead ? ` for “${instead}”` : ""}`,
    coming: (count: number) => counted(count, "planned article", "planned articles"),
    planned: (series: string) => `Planned, not written yet: a chapter of ${series}`,
    failed: "The search could not be loaded; check the connection and type again.",
    unbuilt: "The index is made when the site is built: make serve has the search.",
  },
};

/** What scripts say that stand around the text. */

import { counter } from "../plural.ts";

const counted = counter("en");

export const site = {
  theme: { light: "Light", dark: "Dark" },
  read: "read",
  go: "Continue reading",
  search: {
    none: (words: string) => `Nothing was found for “${words}”.`,
    count: (places: number, pages: number) =>
      `${counted(places, "place", "places")} on ${counted(pages, "page", "pages")}`,
    failed: "The search could not be loaded; check the connection and type again.",
    unbuilt: "The index is made when the site is built: make serve has the search.",
  },
};

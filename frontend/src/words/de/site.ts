/** Was Skripte um den Text herum sagen. */
import type { Words } from "../en/index.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const site: Words["site"] = {
  theme: { light: "Hell", dark: "Dunkel" },
  read: "gelesen",
  go: "Weiterlesen",
  search: {
    none: (words) => `Zu „${words}“ wurde nichts gefunden.`,
    count: (places, pages, instead) =>
      `${counted(places, "Stelle", "Stellen")} auf ${counted(pages, "Seite", "Seiten")}${instead ? ` zu „${instead}“` : ""}`,
    coming: (count) => counted(count, "geplanter Artikel", "geplante Artikel"),
    planned: (series) => `Geplant, noch nicht geschrieben: ein Kapitel von „${series}“`,
    failed: "Die Suche konnte nicht geladen werden; bitte die Verbindung prüfen und noch einmal tippen.",
    unbuilt: "Der Index entsteht, wenn die Seiten gebaut werden: make serve hat die Suche.",
  },
};

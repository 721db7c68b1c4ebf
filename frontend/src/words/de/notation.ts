/** Wie Zahlen und Tage geschrieben werden. */
import type { Words } from "../en/index.ts";

export const notation: Words["notation"] = {
  decimal: ",",
  group: ".",
  date: (year, month, day) => `${day}.${month}.${year}`,
};

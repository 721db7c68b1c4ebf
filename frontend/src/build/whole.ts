/** Series that are one article, with nothing planned: their address leads to it. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FIRST } from "../words/languages.ts";
import { idOf, nameOf } from "./names.ts";

const CONTENT = join(process.cwd(), "..", "content");

/** From the address of each such series to that of its article. */
export function wholeSeries(): Record<string, string> {
  const found = globSync("*/series.json", { cwd: CONTENT })
    .sort()
    .flatMap((file) => {
      const { planned } = JSON.parse(readFileSync(join(CONTENT, file), "utf-8")) as { planned: string[] };
      const names = globSync(`${dirname(file)}/[0-9][0-9]-*.mdx`, { cwd: CONTENT }).map(nameOf);
      const written = names.filter(({ lang }) => lang === FIRST);
      return planned.length === 0 && written.length === 1
        ? [[`/${dirname(file)}/`, `/${idOf(written[0]!)}/`]]
        : [];
    });
  return Object.fromEntries(found) as Record<string, string>;
}

/** How the chapters of a series hang together: each stands at its layer, to the right of all that it builds on. */
import { getEntry } from "astro:content";
import { articlesOf, type Article, type Series } from "./library";

export interface Chapter {
  /** Counted from 1, as in the names of the files. */
  number: number;
  title: string;
  layer: string;
  /** The chapters to be read before it, by number. */
  after: number[];
  /** Left out while it is only planned. */
  article?: Article;
  /** Its place in the grid, each counted from 0. */
  column: number;
  row: number;
}

export interface Layer {
  name: string;
  row: number;
  rows: number;
}

export interface ChapterMap {
  layers: Layer[];
  chapters: Chapter[];
  columns: number;
  rows: number;
  hurry: { chapters: Chapter[]; why: string };
}

/** The map of a series that has one; tests/layout holds it against what is written and planned. */
export async function chapterMap(series: Series): Promise<ChapterMap | undefined> {
  const entry = await getEntry("maps", series.id);
  if (!entry) return undefined;
  const { layers: names, chapters: told, hurry } = entry.data;
  const written = new Map((await articlesOf(series.id)).map((article) => [numberOf(article), article]));
  const columns: number[] = [];
  for (const [at, { title, layer, after }] of told.entries()) {
    const wrong = (what: string) => new Error(`content/${series.id}/map.json: ${title} ${what}`);
    if (!names.includes(layer)) throw wrong(`stands at a layer that is not listed: ${layer}`);
    if (after.some((number) => number > at)) throw wrong("comes after a chapter that is not before it");
    columns.push(Math.max(-1, ...after.map((number) => columns[number - 1]!)) + 1);
  }
  const taken = (name: string) => told.flatMap(({ layer }, at) => (layer === name ? [columns[at]!] : []));
  const layers: Layer[] = [];
  for (const name of names) {
    const inIt = taken(name);
    const rows = Math.max(1, ...inIt.map((column) => inIt.filter((one) => one === column).length));
    layers.push({ name, rows, row: layers.reduce((sum, layer) => sum + layer.rows, 0) });
  }
  const chapters = told.map(({ title, layer, after }, at): Chapter => {
    const above = told.filter((one, k) => k < at && one.layer === layer && columns[k] === columns[at]).length;
    const article = written.get(at + 1);
    const row = layers.find(({ name }) => name === layer)!.row + above;
    return {
      number: at + 1,
      title: article?.data.title ?? title,
      layer,
      after,
      ...(article && { article }),
      column: columns[at]!,
      row,
    };
  });
  return {
    layers,
    chapters,
    columns: Math.max(...columns) + 1,
    rows: layers.reduce((sum, { rows }) => sum + rows, 0),
    hurry: { why: hurry.why, chapters: hurry.chapters.map((number) => chapters[number - 1]!) },
  };
}

const numberOf = (article: Article): number => Number(/(\d+)-[^/]*$/.exec(article.filePath ?? "")?.[1]);

/** How the chapters of a series hang together: each stands at its layer, to the right of all that it builds on. */
import { LAYERS, layerOf, type Layer } from "./layers";
import { articlesOf, type Article, type Series } from "./library";

export interface Chapter {
  /** Counted from 1, as in the names of the files. */
  number: number;
  article: Article;
  layer: Layer;
  /** The chapters to be read before it, by number. */
  after: number[];
  /** Its place in the grid, each counted from 0. */
  column: number;
  row: number;
}

/** A layer at which some of them stand. */
export interface Band {
  layer: Layer;
  row: number;
  rows: number;
}

export interface ChapterMap {
  bands: Band[];
  chapters: Chapter[];
  columns: number;
  rows: number;
  hurry?: { chapters: Chapter[]; why: string };
}

/** The map of a series of two chapters or more. */
export async function chapterMap(series: Series): Promise<ChapterMap | undefined> {
  const articles = await articlesOf(series.id);
  if (articles.length < 2) return undefined;
  const columns: number[] = [];
  for (const [at, { data, filePath }] of articles.entries()) {
    if (data.after.some((number) => number > at))
      throw new Error(`${filePath} comes after a chapter that is not before it`);
    columns.push(Math.max(-1, ...data.after.map((number) => columns[number - 1]!)) + 1);
  }
  const placed = articles.map((article, at) => ({
    number: at + 1,
    article,
    layer: layerOf(article),
    after: article.data.after,
    column: columns[at]!,
  }));
  const bands: Band[] = [];
  for (const layer of LAYERS) {
    const taken = placed.filter((each) => each.layer === layer).map(({ column }) => column);
    const rows = Math.max(0, ...taken.map((column) => taken.filter((one) => one === column).length));
    if (rows > 0) bands.push({ layer, rows, row: bands.reduce((sum, band) => sum + band.rows, 0) });
  }
  const chapters = placed.map((each): Chapter => {
    const { layer, column, number } = each;
    const above = placed.filter(
      (one) => one.number < number && one.layer === layer && one.column === column,
    ).length;
    return { ...each, row: bands.find((band) => band.layer === layer)!.row + above };
  });
  const { hurry } = series.data;
  return {
    bands,
    chapters,
    columns: Math.max(...columns) + 1,
    rows: bands.reduce((sum, { rows }) => sum + rows, 0),
    ...(hurry && { hurry: { ...hurry, chapters: hurry.chapters.map((number) => chapters[number - 1]!) } }),
  };
}

/** The layers of the book (`content/layers.json`), from what is around a line of Python down to the machine, and what
 *  stands at each: the articles that say so in their front matter, and those of their figures that explain another. */
import { slug } from "github-slugger";
import layers from "../../../content/layers.json";
import { addressOf, allArticles, allSeries, seriesOf, type Article, type Series } from "./library";
import { manifestOf } from "./manifests";

export interface Layer {
  name: string;
  says: string;
  /** What links call it. */
  id: string;
  /** The level of `descent/one_line` that shows it, from 1. */
  level?: number;
}

/** A figure, in the article that explains it. */
export interface Shown {
  lab: string;
  title: string;
  href: string;
}

export interface Stand {
  article: Article;
  series: Series;
  /** Of the series and of the article in it, such as 5.4. */
  number: string;
  /** Its figures that stand here. */
  figures: Shown[];
  /** Whether the article has its place here; else only these figures have. */
  own: boolean;
}

export const LAYERS = (layers as Omit<Layer, "id">[]).map((each): Layer => ({
  ...each,
  id: slug(each.name),
}));

/** Raises an error that names the file if there is no such layer. */
export function layerOf({ data, filePath }: Article, name = data.layer): Layer {
  const found = LAYERS.find((each) => each.name === name);
  if (found) return found;
  const names = LAYERS.map((each) => each.name).join(", ");
  throw new Error(`${filePath} stands at “${name}”, and the layers are ${names}`);
}

/** Each layer with what stands there, in the order in which the book is read. */
export async function book(): Promise<(Layer & { stands: Stand[] })[]> {
  const series = await allSeries();
  const stands = (await allArticles()).flatMap((article, at, all) => {
    const own = series.find(({ id }) => id === seriesOf(article))!;
    const first = all.findIndex((one) => seriesOf(one) === own.id);
    return placesOf(article).map((place) => ({
      ...place,
      article,
      series: own,
      number: `${own.data.order}.${at - first + 1}`,
    }));
  });
  return LAYERS.map((layer) => ({
    ...layer,
    stands: stands
      .filter((each) => each.layer === layer)
      .sort((one, other) => Number(other.own) - Number(one.own)),
  }));
}

/** The layer of an article, and those of its figures that stand elsewhere. */
function placesOf(article: Article): { layer: Layer; figures: Shown[]; own: boolean }[] {
  const home = layerOf(article);
  const { elsewhere } = article.data;
  const figures = figuresOf(article);
  const lost = Object.keys(elsewhere).find((lab) => !figures.has(lab));
  if (lost) throw new Error(`${article.filePath} places ${lost} elsewhere, and does not show it`);
  const places = new Map<Layer, Shown[]>([[home, []]]);
  for (const [lab, shown] of figures) {
    const layer = layerOf(article, elsewhere[lab]);
    places.set(layer, [...(places.get(layer) ?? []), shown]);
  }
  return [...places].map(([layer, figures]) => ({ layer, figures, own: layer === home }));
}

/** The labs of an article, each where it is shown first. */
function figuresOf(article: Article): Map<string, Shown> {
  const found = new Map<string, Shown>();
  for (const [, tag] of (article.body ?? "").matchAll(/<Lab\s((?:[^>"]|"[^"]*")*)>/g)) {
    const lab = /\bid="([^"]+)"/.exec(tag!)![1]!;
    const name = /\bname="([^"]+)"/.exec(tag!)?.[1] ?? lab.split("/")[1]!;
    if (!found.has(lab))
      found.set(lab, { lab, title: manifestOf(lab)!.title, href: `${addressOf(article)}#${name}` });
  }
  return found;
}

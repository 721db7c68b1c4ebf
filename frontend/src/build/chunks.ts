/** The scripts of the site as the bundler left them, and which of them a page needs. */
import { figureFile } from "./figure-file.ts";
import type { Plugin, Rolldown } from "vite";
import type { Lab } from "../lab/manifest.ts";

const chunks = new Map<string, Rolldown.OutputChunk>();

export const collectChunks: Plugin = {
  name: "underhood:chunks",
  applyToEnvironment: (environment) => environment.name === "client",
  // Not before Vite has taken out the scripts that held nothing but styles.
  writeBundle(_, bundle) {
    for (const one of Object.values(bundle)) if (one.type === "chunk") chunks.set(one.fileName, one);
  },
};

export interface Placed {
  lab: Lab;
  first: { recording: string };
}

/** What a page says of its figures. */
export const figuresOf = (html: string): Placed[] =>
  [...html.matchAll(/<script type="application\/json" data-props>(.*?)<\/script>/gs)].map(
    ([, props]) => JSON.parse(props!) as Placed,
  );

const FRAMES = ["src/lab/Figure.svelte", "src/home/Hero.svelte"];
const FIGURE =
  /src\/figures\/[^/]+\/(?:[^/]+|[^/]+\/Figure)\.svelte$|src\/(?:lab\/Figure|home\/Hero)\.svelte$/;
/** As large as all the rest of the site's scripts: it comes with a chart or a surface, and with nothing else. */
const CHARTS = /node_modules\/plotly|kit\/surface\/Scene\.svelte$/;
const isFigure = (chunk: Rolldown.OutputChunk): boolean => FIGURE.test(chunk.facadeModuleId ?? "");

/** Files that are named, and whatever scripts among them import. `lazy` says what is loaded unasked. */
function closure(files: Iterable<string>, lazy: (chunk: Rolldown.OutputChunk) => boolean): Set<string> {
  const found = new Set<string>();
  function add(file: string): void {
    if (found.has(file)) return;
    found.add(file);
    const chunk = chunks.get(file);
    if (!chunk) return;
    for (const [, worker] of chunk.code.matchAll(/["'`]\/(_astro\/[\w.-]+\.js)["'`]/g)) add(worker!);
    chunk.imports.filter((other) => chunks.has(other)).forEach(add);
    chunk.dynamicImports.filter((other) => lazy(chunks.get(other)!)).forEach(add);
  }
  for (const file of files) add(file);
  return found;
}

/** What a page names, and what its figures load when they wake. What is loaded on a reader's wish is not in it. */
export function filesOf(html: string): Set<string> {
  const named = [...html.matchAll(/\s(?:src|href)="\/([^"?#]+\.\w+)"/g)].map(([, file]) => file!);
  const woken = [...FRAMES, ...figuresOf(html).map(({ lab }) => `src/${figureFile(lab.id)}`)];
  return closure(named, ({ facadeModuleId }) => woken.some((path) => facadeModuleId?.endsWith(path)));
}

/** What some page loads on a reader's wish: panels, workbenches. */
export function wished(): Set<string> {
  const entries = [...chunks.values()].filter(
    (chunk) => chunk.isDynamicEntry && !isFigure(chunk) && !CHARTS.test(chunk.facadeModuleId ?? ""),
  );
  return closure(
    entries.map(({ fileName }) => fileName),
    () => false,
  );
}

export const scriptsIn = (files: Set<string>): string[] =>
  [...files].flatMap((file) => chunks.get(file)?.code ?? []);

/** Makes the service worker, and beside each page `offline.json`: what the page needs to be whole without a network. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { build } from "vite";
import { COMMON, filesIn, inBrowser, INDEX, moduleOf, type Index } from "../runner/packs.ts";
import { figuresOf, filesOf, wished } from "./chunks.ts";

export interface Needs {
  build: string;
  files: string[];
}

const WORKER = join("src", "sw", "worker.ts");
const PAGE = /(^|\/)index\.html$/;
/** What measuring the reader's device takes. */
const DEVICE = /^_astro\/((device|member\.worker)-.*\.js|.*\.wasm)$/;
/** What running a reader's own code takes, beside the scripts of panels and workbenches. */
const OWN_CODE = /^(sandbox\.html|tasks\/.*\.py|_astro\/later\..*\.css)$/;

export function offline(): AstroIntegration {
  return {
    name: "underhood:offline",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const dist = fileURLToPath(dir);
        const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
          .filter((file) => file.isFile())
          .map((file) => join(file.parentPath, file.name).slice(dist.length))
          .sort();
        // The compressed copies are the server's to choose.
        const python = files.filter((file) => file.startsWith("pyodide/") && !file.endsWith(".wasm.gz"));
        const site = files.filter((file) => !/^(pyodide|_astro|pagefind)\//.test(file));
        const index = JSON.parse(await readFile(join(dist, "labs", INDEX), "utf-8")) as Index;
        const id = await digest(dist, [...site, WORKER]);
        for (const page of files.filter((file) => PAGE.test(file))) {
          const html = await readFile(join(dist, page), "utf-8");
          const needs: Needs = { build: id, files: [...needed(html, index)].filter((file) => file !== "/") };
          await writeFile(join(dist, page.replace(PAGE, "$1offline.json")), JSON.stringify(needs));
        }
        const rooted = (paths: Iterable<string>) => Array.from(paths, (file) => `/${file}`);
        await bundleWorker(dist, {
          BUILD: JSON.stringify(id),
          PYTHON: JSON.stringify({ hash: await digest(dist, python), files: rooted(python) }),
          DEVICE: JSON.stringify(rooted(files.filter((file) => DEVICE.test(file)))),
          OWN_CODE: JSON.stringify([
            ...rooted([...wished(), ...files.filter((file) => OWN_CODE.test(file))]),
            ...packed(index, COMMON),
          ]),
        });
      },
    },
  };
}

/** Addresses of what a page names, and of what its figures load when they wake. */
function needed(html: string, index: Index): Set<string> {
  const files = new Set([...filesOf(html)].map((file) => `/${file}`));
  const figures = figuresOf(html);
  for (const { lab, first } of figures) {
    files
      .add(`/recordings/${first.recording}.json`)
      .add(`/labs/${lab.id}.fields.json`)
      .add(`/labs/${lab.id}.py`);
    const run = inBrowser(lab);
    if (run) for (const file of [...packed(index, COMMON), ...packed(index, moduleOf(run))]) files.add(file);
  }
  return files;
}

/** What it takes to load a pack. */
const packed = ({ packs }: Index, module: string): string[] =>
  [INDEX, ...filesIn(packs[module]!)].map((name) => `/labs/${name}`);

async function digest(dist: string, files: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files)
    hash.update(`${file}\0`).update(await readFile(file === WORKER ? file : join(dist, file)));
  return hash.digest("hex").slice(0, 12);
}

async function bundleWorker(dist: string, define: Record<string, string>): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    define,
    build: {
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { input: WORKER, output: { entryFileNames: "sw.js", format: "iife" } },
    },
  });
}

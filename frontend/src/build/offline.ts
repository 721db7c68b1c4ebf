/** Makes the service worker, and beside each page `offline.json`: what the page needs to be whole without a network. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { build } from "vite";
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
        const python = files.filter((file) => file.startsWith("pyodide/"));
        const site = files.filter((file) => !/^(pyodide|_astro|pagefind)\//.test(file));
        const id = await digest(dist, [...site, WORKER]);
        for (const page of files.filter((file) => PAGE.test(file))) {
          const html = await readFile(join(dist, page), "utf-8");
          const needs: Needs = { build: id, files: [...needed(html)].filter((file) => file !== "/") };
          await writeFile(join(dist, page.replace(PAGE, "$1offline.json")), JSON.stringify(needs));
        }
        const rooted = (paths: Iterable<string>) => Array.from(paths, (file) => `/${file}`);
        await bundleWorker(dist, {
          BUILD: JSON.stringify(id),
          PYTHON: JSON.stringify({ hash: await digest(dist, python), files: rooted(python) }),
          DEVICE: JSON.stringify(rooted(files.filter((file) => DEVICE.test(file)))),
          OWN_CODE: JSON.stringify(rooted([...wished(), ...files.filter((file) => OWN_CODE.test(file))])),
        });
      },
    },
  };
}

/** Addresses of what a page names, and of what its figures load when they wake. */
function needed(html: string): Set<string> {
  const files = new Set([...filesOf(html)].map((file) => `/${file}`));
  const figures = figuresOf(html);
  for (const { lab, first } of figures)
    files
      .add(`/recordings/${first.recording}.json`)
      .add(`/labs/${lab.id}.fields.json`)
      .add(`/labs/${lab.id}.py`);
  if (figures.length > 0) files.add("/labs/labs.zip");
  return files;
}

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

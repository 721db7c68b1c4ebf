/** The script of a copied article: its figures and what plays recorded runs, in one piece. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin, type Rolldown } from "vite";
import { figureFile } from "./figure-file.ts";
import { hashOf, kept } from "./kept.ts";

const SRC = join(process.cwd(), "src");
const ENTRY = "virtual:copy";
/** What a file on a disk has instead. */
const INSTEAD: Record<string, string> = {
  [join(SRC, "lab/Panels.svelte")]: join(SRC, "copy/Panels.svelte"),
  [join(SRC, "kit/code/execute.ts")]: join(SRC, "copy/execute.ts"),
  [join(SRC, "runner/browser.ts")]: join(SRC, "copy/browser.ts"),
  [join(SRC, "kit/surface/Scene.svelte")]: join(SRC, "copy/Scene.svelte"),
};

/** `read` gets to know whatever file the script is made of. */
function copy(lang: string, labs: string[], read: (file: string) => void): Plugin {
  const imports = labs.map((id, i) => `import d${i} from ${JSON.stringify(join(SRC, figureFile(id)))};`);
  const names = labs.map((id, i) => `${JSON.stringify(id)}: d${i}`);
  const speak = `import ${JSON.stringify(join(SRC, `words/speak/${lang}.ts`))};`;
  const wake = `import { wake } from ${JSON.stringify(join(SRC, "copy/wake.ts"))};`;
  return {
    name: "underhood:copy",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source === ENTRY) return ENTRY;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && (INSTEAD[found.id] ?? null);
    },
    load: (id) =>
      id === ENTRY ? `${speak}\n${wake}\n${imports.join("\n")}\nwake({ ${names.join(", ")} });` : null,
    transform: (_, id) => read(id),
  };
}

interface Made {
  script: string;
  css: string;
}

/** What matters beside the sources themselves: the tools, and which files there are, as some import all of a folder. */
const AROUND = [
  ...[import.meta.filename, "package-lock.json"].map((file) => readFileSync(file)),
  ...globSync(["src/**/*.*", "../content/*/words.*.json"]).sort(),
];

/** The script for these figures: the one of the build before, if nothing that it is made of has changed. */
export const bundle = (lang: string, labs: string[]): Promise<Made> =>
  kept(`copy/${lang}/${labs.join("+")}`, hashOf(...AROUND, lang, ...labs), (read) =>
    make(lang, labs, (id) => {
      const [file] = id.split("?");
      if (existsSync(file!) && !file!.includes("node_modules")) read(file!);
    }),
  );

async function make(lang: string, labs: string[], read: (file: string) => void): Promise<Made> {
  const made = (await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { "import.meta.env.COPY": "true" },
    plugins: [copy(lang, labs, read), svelte({ configFile: false, preprocess: vitePreprocess() })],
    build: {
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: {
        input: ENTRY,
        checks: { emptyImportMeta: false }, // one piece loads no other, and never asks where it lies
        output: { format: "iife", codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = made.output.filter((one) => one.type === "chunk");
  const sheets = made.output.filter((one) => one.type === "asset" && one.fileName.endsWith(".css"));
  return {
    script: chunks.map(({ code }) => code.replaceAll("</script", "<\\/script")).join("\n"),
    css: sheets.map((sheet) => String((sheet as Rolldown.OutputAsset).source)).join("\n"),
  };
}

/** The script of a copied article: its figures and what plays recorded runs, in one piece. */
import { join } from "node:path";
import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin, type Rolldown } from "vite";
import { figureFile } from "./figure-file.ts";

const SRC = join(process.cwd(), "src");
const ENTRY = "virtual:copy";
/** What a file on a disk has instead. */
const INSTEAD: Record<string, string> = {
  [join(SRC, "lab/Panels.svelte")]: join(SRC, "copy/Panels.svelte"),
  [join(SRC, "kit/code/execute.ts")]: join(SRC, "copy/execute.ts"),
  [join(SRC, "runner/browser.ts")]: join(SRC, "copy/browser.ts"),
};

function copy(lang: string, labs: string[]): Plugin {
  const imports = labs.map((id, i) => `import d${i} from ${JSON.stringify(join(SRC, figureFile(id)))};`);
  const names = labs.map((id, i) => `${JSON.stringify(id)}: d${i}`);
  const speak = `import ${JSON.stringify(join(SRC, `words/speak/${lang}.ts`))};`;
  const wake = `import { wake } from ${JSON.stringify(join(SRC, "copy/wake.ts"))};`;
  return {
    name: "copy",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source === ENTRY) return ENTRY;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && (INSTEAD[found.id] ?? null);
    },
    load: (id) =>
      id === ENTRY ? `${speak}\n${wake}\n${imports.join("\n")}\nwake({ ${names.join(", ")} });` : null,
  };
}

export async function bundle(lang: string, labs: string[]): Promise<{ script: string; css: string }> {
  const made = (await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { "import.meta.env.COPY": "true" },
    plugins: [copy(lang, labs), svelte({ configFile: false, preprocess: vitePreprocess() })],
    build: {
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: "iife", codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = made.output.filter((one) => one.type === "chunk");
  const sheets = made.output.filter((one) => one.type === "asset" && one.fileName.endsWith(".css"));
  return {
    script: chunks.map(({ code }) => code.replaceAll("</script", "<\\/script")).join("\n"),
    css: sheets.map((sheet) => String((sheet as Rolldown.OutputAsset).source)).join("\n"),
  };
}

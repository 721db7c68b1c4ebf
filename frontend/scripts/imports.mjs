// The imports that .dependency-cruiser.mjs forbids: [{from, module, rule}] out. Components are read as the TypeScript
// that they stand for, in a copy of the sources; standard input is what else lies in it, {path: source}.
import { convertToTsx } from "@astrojs/astro2tsx";
import { cruise } from "dependency-cruiser";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { svelte2tsx } from "svelte2tsx";
import rules from "../.dependency-cruiser.mjs";

const AS_TYPESCRIPT = {
  ".svelte": (source, filename) =>
    svelte2tsx(source, { filename, isTsFile: true }).code.replace(/^\/\/\/.*/, ""),
  ".astro": (source, filename) => {
    const { code, scripts } = convertToTsx(source, { filename });
    return [code, ...scripts.map(({ content }) => content)].join("\n");
  },
};

const root = mkdtempSync(join(tmpdir(), "imports-"));
try {
  cpSync("src", join(root, "src"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  for (const [path, source] of Object.entries(JSON.parse(await text(process.stdin)))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  for (const [ending, convert] of Object.entries(AS_TYPESCRIPT)) {
    for (const path of globSync(`${root}/src/**/*${ending}`)) {
      writeFileSync(`${path}.tsx`, convert(readFileSync(path, "utf8"), path));
      rmSync(path);
    }
  }
  const options = { ...rules.options, baseDir: root, ruleSet: rules, validate: true };
  const { output } = await cruise(["src"], options, { extensions: [".ts", ".tsx", ".js", ".mjs"] });
  const forbidden = output.modules.flatMap(({ source, dependencies }) =>
    dependencies.flatMap(({ module, rules = [] }) =>
      rules.map(({ name }) => ({ from: source.replace(/[.]tsx$/, ""), module, rule: name })),
    ),
  );
  process.stdout.write(JSON.stringify(forbidden));
} finally {
  rmSync(root, { recursive: true });
}

// Turns the labs' JSON Schemas into TypeScript. Called by `python -m underhood.generate`, which feeds it
// [{id, manifest, fields, schema}] and gets back {file name: formatted text}.
import { compile } from "json-schema-to-typescript";
import { format, resolveConfig } from "prettier";
import { fileURLToPath } from "node:url";

const BANNER = "// Generated from the Python lab by `make contract`; edits here are lost.\n";
const OPTIONS = { format: false, bannerComment: "" };

async function typesOf(schema) {
  const types = await compile(schema, "Lab", OPTIONS);
  const arrays = types.includes("NdArray<") ? 'import type { NdArray } from "../../../runner/array";\n' : "";
  return [BANNER, arrays, types, 'export type Event = Lab["event"];'].join("\n");
}

async function pretty(name, text) {
  const path = fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url));
  return [name, await format(text, { ...(await resolveConfig(path)), filepath: path })];
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const labs = JSON.parse(Buffer.concat(chunks).toString("utf8"));

const files = labs.flatMap(({ id, manifest, fields, schema }) => [
  pretty(`${id}/lab.json`, JSON.stringify(manifest, null, 2)),
  pretty(`${id}/fields.json`, JSON.stringify(fields, null, 2)),
  typesOf(schema).then((types) => pretty(`${id}/types.ts`, types)),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(files))));

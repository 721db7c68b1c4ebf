/** Turns what the labs say of themselves into the files of src/generated. `make contract` calls it through
 *  scripts/types.mjs; under `make dev` it stays loaded. */
import { compile } from "json-schema-to-typescript";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

/** What `underhood.author.generate` says of one lab. */
export interface Given {
  id: string;
  manifest: object;
  fields: object;
  schema: object;
}

const BANNER = "// Generated from the Python lab by `make contract`; edits here are lost.\n";
const OPTIONS = { format: false, bannerComment: "" };

async function typesOf(schema: object): Promise<string> {
  const types = await compile(schema, "Lab", OPTIONS);
  const arrays = types.includes("NdArray<") ? 'import type { NdArray } from "../../../runner/array";\n' : "";
  return [BANNER, arrays, types, 'export type Event = Lab["event"];'].join("\n");
}

async function pretty(name: string, text: string): Promise<[string, string]> {
  const path = fileURLToPath(new URL(`../generated/${name}`, import.meta.url));
  return [name, await format(text, { ...(await resolveConfig(path)), filepath: path })];
}

/** The text of each file, by its name below src/generated. */
export async function filesOf(labs: Given[]): Promise<Record<string, string>> {
  const files = labs.flatMap(({ id, manifest, fields, schema }) => [
    pretty(`${id}/lab.json`, JSON.stringify(manifest, null, 2)),
    pretty(`${id}/fields.json`, JSON.stringify(fields, null, 2)),
    typesOf(schema).then((types) => pretty(`${id}/types.ts`, types)),
  ]);
  return Object.fromEntries(await Promise.all(files));
}

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
  schema: Schema;
  /** Of the file that a machine writes when it is measured elsewhere. */
  file?: object;
}

const BANNER = "// Generated from the Python lab by `make contract`; edits here are lost.\n";
const OPTIONS = { format: false, bannerComment: "" };

interface Field {
  enum?: unknown[];
  items?: Field | Field[];
}
interface Schema {
  $defs: Record<string, { properties?: Record<string, Field> }>;
}

/** The words of which a field, or each of its items, is one: figures that need their order take it from here. */
function choicesOf({ $defs }: Schema): string {
  const choices = Object.entries($defs).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, { enum: own, items }]) => {
      const words = own ?? (items && !Array.isArray(items) ? items.enum : undefined);
      return words && words.length > 1 ? [[`${name}.${field}`, words]] : [];
    }),
  );
  if (choices.length === 0) return "";
  const list = JSON.stringify(Object.fromEntries(choices));
  return `/** What a field may say, in the lab's order. */\nexport const CHOICES = ${list} as const;`;
}

async function typesOf(schema: Schema): Promise<string> {
  const types = await compile(schema, "Lab", OPTIONS);
  const arrays = types.includes("NdArray<") ? 'import type { NdArray } from "../../../runner/array";\n' : "";
  const sentence = 'import type { Sentence } from "../../../words/sentence";\n';
  return [BANNER, arrays, sentence, types, 'export type Event = Lab["event"];', choicesOf(schema)].join("\n");
}

async function pretty(name: string, text: string): Promise<[string, string]> {
  const path = fileURLToPath(new URL(`../generated/${name}`, import.meta.url));
  return [name, await format(text, { ...(await resolveConfig(path)), filepath: path })];
}

/** The text of each file, by its name below src/generated. */
export async function filesOf(labs: Given[]): Promise<Record<string, string>> {
  const files = labs.flatMap(({ id, manifest, fields, schema, file }) => [
    pretty(`${id}/lab.json`, JSON.stringify(manifest, null, 2)),
    pretty(`${id}/fields.json`, JSON.stringify(fields, null, 2)),
    ...(file ? [pretty(`${id}/file.json`, JSON.stringify(file, null, 2))] : []),
    typesOf(schema).then((types) => pretty(`${id}/types.ts`, types)),
  ]);
  return Object.fromEntries(await Promise.all(files));
}

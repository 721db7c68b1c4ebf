// Turns the labs' JSON Schemas into TypeScript. Called by `python -m underhood.generate`, which feeds it
// {labs, fields, schemas: [{id, namespace, schema}]} and gets back {file name: formatted text}.
import { compile } from "json-schema-to-typescript";
import { format, resolveConfig } from "prettier";
import { fileURLToPath } from "node:url";

const BANNER = "// Generated from the Python labs by `make contract`; edits here are lost.\n";
const OPTIONS = { format: false, bannerComment: "" };

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { labs, fields, schemas } = JSON.parse(Buffer.concat(chunks).toString("utf8"));

const spaces = [];
for (const { id, namespace, schema } of schemas) {
  const types = await compile(schema, "Lab", OPTIONS);
  spaces.push(
    `/** ${id} */\nexport namespace ${namespace} {\n${types}\nexport type Event = Lab["event"];\n}`,
  );
}

const entries = schemas.map(({ id, namespace }) => `${JSON.stringify(id)}: ${namespace}.Lab;`);
const usesArrays = spaces.some((space) => space.includes("NdArray<"));
const typescript = [
  BANNER,
  usesArrays ? 'import type { NdArray } from "../runner/array";\n' : "",
  ...spaces,
  `/** Every lab by its id. */\nexport interface Labs {\n${entries.join("\n")}\n}\n`,
  "/** A lab's id, as in the address of its page. */\nexport type LabId = keyof Labs;",
  "/** What a lab takes, every default filled in. */\nexport type LabParams<Id extends LabId> = Labs[Id]['params'];",
  "/** What a lab yields: a union over `kind`. */\nexport type LabEvent<Id extends LabId> = Labs[Id]['event'];",
].join("\n");

async function pretty(name, text) {
  const path = fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url));
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

const files = {
  "labs.json": await pretty("labs.json", JSON.stringify(labs, null, 2)),
  "fields.json": await pretty("fields.json", JSON.stringify(fields, null, 2)),
  "labs.ts": await pretty("labs.ts", typescript),
};
process.stdout.write(JSON.stringify(files));

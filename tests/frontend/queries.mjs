// Asks as the search does. Run in frontend/; standard input is {otherwise: […], meets: [[found, asked], …]}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { otherwise, meets } = await import(pathToFileURL(join(process.cwd(), "src/page/queries.ts")));
const synonyms = JSON.parse(await readFile("../content/synonyms.json", "utf-8"));
const asked = JSON.parse(await text(process.stdin));
process.stdout.write(
  JSON.stringify({
    otherwise: asked.otherwise.map((words) => otherwise(words, synonyms)),
    meets: asked.meets.map((pair) => meets(...pair)),
  }),
);

// Compares answers as the figure does. Run in frontend/; standard input is a list of [value, answer, returns].
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const path = "src/figures/bits/code_to_bytes/answer.ts";
const { same } = await import(pathToFileURL(join(process.cwd(), path)));

const asked = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(asked.map((each) => same(...each))));

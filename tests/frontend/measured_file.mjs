// Reads files that a reader brings to /bench/, as the page does: [text, ...] in, what is refused or how many runs out.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const from = (path) =>
  import(pathToFileURL(join(process.cwd(), "src/bench/brought", path)));
const { Refused, runsIn } = await from("read.ts");
const NOW = Date.UTC(2027, 0);

async function told(file) {
  try {
    return { runs: (await runsIn(file, NOW)).length };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { why: error.why, at: error.at };
  }
}
const files = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(await Promise.all(files.map(told))));

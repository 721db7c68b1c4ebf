// How many digits of a measured value are shown. Run in frontend/; standard input is JSON: pairs of value and spread.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { digitsAbove } = await import(
  pathToFileURL(join(process.cwd(), "src/lab/value.ts")).href
);

const pairs = JSON.parse(await text(process.stdin));
process.stdout.write(
  JSON.stringify(pairs.map(([value, spread]) => digitsAbove(value, spread))),
);

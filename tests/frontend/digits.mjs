// How many digits of a measured value are shown, and the value as an integer of so many and rounded to two. Run in
// frontend/; standard input is JSON: pairs of value and spread.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const ours = (path) =>
  import(pathToFileURL(join(process.cwd(), "src", path)).href);
const { speak } = await ours("words/index.ts");
const { digitsAbove, format } = await ours("lab/value.ts");
const { en } = await ours("words/en/index.ts");
speak(() => ({ words: en, lang: "en" }));

const pairs = JSON.parse(await text(process.stdin));
process.stdout.write(
  JSON.stringify(
    pairs.map(([value, spread]) => {
      const digits = digitsAbove(value, spread);
      return [digits, format(value, "integer", digits), format(value, "rounded", digits)];
    }),
  ),
);

// Writes values as links do and reads texts back. Run in frontend/; standard input is [{property, values, texts}, …].
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { parse, write } = await import(pathToFileURL(join(process.cwd(), "src/lab/property.ts")));
const asked = JSON.parse(await text(process.stdin));
process.stdout.write(
  JSON.stringify(
    asked.map(({ property, values, texts }) => ({
      written: values.map((value) => write(property, value)),
      parsed: texts.map((each) => parse(property, each) ?? null),
    })),
  ),
);

// Says sentences as a page does. Run in frontend/; standard input is {catalogue, sentences}.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { english, translated } = await import(pathToFileURL(join(process.cwd(), "src/words/sentence.ts")));

const { catalogue, sentences } = JSON.parse(await text(process.stdin));
const written = (number) => number.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
const say = (one) => ({ english: english(one), other: translated(one, catalogue, written) ?? null });
process.stdout.write(JSON.stringify(sentences.map(say)));

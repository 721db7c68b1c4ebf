// Says sentences as a German page does. Run in frontend/; standard input is {catalogue, sentences}.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { sayer } = await import(pathToFileURL(join(process.cwd(), "src/words/said.ts")));

const { catalogue, sentences } = JSON.parse(await text(process.stdin));
const say = sayer(catalogue, (english) => english.replace(/[.,]/g, (sign) => (sign === "." ? "," : ".")));
process.stdout.write(JSON.stringify(sentences.map((english) => say(english) ?? null)));

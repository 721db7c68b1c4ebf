// Judges numbers as exercises do. Run in frontend/; standard input is {lang, asked: [[text, answer, how], …]}.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const ours = (path) => import(pathToFileURL(join(process.cwd(), "src", path)));
const { lang, asked } = JSON.parse(await text(process.stdin));
const { speak } = await ours("words/index.ts");
const words = (await ours(`words/${lang}/index.ts`))[lang];
speak(() => ({
  words,
  lang,
  catalogue: {},
  later: () => Promise.reject(new Error("not asked for")),
}));
const { judge } = await ours("exercise/number.ts");
process.stdout.write(
  JSON.stringify(
    asked.map(([given, answer, how]) => judge(given, answer, how ?? {})),
  ),
);

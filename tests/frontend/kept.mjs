// What the build takes of a thing that it keeps. Run in frontend/; standard input is JSON: a folder to keep it in, and
// for each time a key and the text of the file that the thing is made of.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const code = pathToFileURL(join(process.cwd(), "src/build/kept.ts")).href;
const { folder, times } = JSON.parse(await text(process.stdin));
process.chdir(folder);
const { kept } = await import(code);
const told = [];
for (const [key, content] of times) {
  await writeFile("source", content);
  const make = async (read) => {
    read("source");
    return `made ${told.length + 1}.`;
  };
  told.push(await kept("some/thing", key, make));
}
process.stdout.write(JSON.stringify(told));

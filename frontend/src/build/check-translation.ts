/** Fails the build, with file and line, on a translation of an article that is not there, or one that has other figures
 *  or exercises: links to them and what a reader has solved hold in every language. A remark plugin. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Root } from "mdast";
import type { VFile } from "vfile";
import { nameOf } from "./names.ts";

const ROOT = join(process.cwd(), "..");
const CONTENT = join(ROOT, "content");
const START = { line: 1, column: 1 };

export function checkTranslation() {
  return (_: Root, file: VFile): void => {
    const path = file.path.startsWith("/") ? relative(ROOT, file.path) : file.path;
    const name = path.replace(/^content\//, "");
    if (!/\.\w+\.mdx$/.test(name)) return;
    const original = originalOf(name, file);
    const source = join(CONTENT, original);
    if (!existsSync(source)) file.fail(`there is no content/${original} that this translates`, START);
    const [theirs, ours] = [namesIn(readFileSync(source, "utf-8")), namesIn(String(file))];
    const at = theirs.findIndex(({ name }, place) => name !== ours[place]?.name);
    const place = at < 0 ? theirs.length : at;
    if (at < 0 && ours.length === theirs.length) return;
    file.fail(
      `content/${original} has ${theirs[place]?.name ?? "nothing more"} here, this has ${ours[place]?.name ?? "nothing more"}`,
      ours[place] ? { line: ours[place].line, column: 1 } : START,
    );
  };
}

function originalOf(name: string, file: VFile): string {
  try {
    return nameOf(name).original;
  } catch (error) {
    return file.fail((error as Error).message, START);
  }
}

/** The figures and exercises of an article, in their order. */
function namesIn(text: string): { name: string; line: number }[] {
  return [...text.matchAll(/<(Lab|Exercise|CodeTask)\s[^>]*>/g)].map(({ 0: tag, 1: kind, index }) => {
    const said = /\bname="([^"]+)"/.exec(tag) ?? /\b(?:id|task)="([^"]+)"/.exec(tag);
    return { name: `<${kind}> ${said?.[1] ?? ""}`, line: text.slice(0, index).split("\n").length };
  });
}

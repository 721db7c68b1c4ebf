/** The items of a listing for a program, and for what a compiler made of it. */
import type { Code } from "../../../generated/compilers/fusing_compiler/types";
import type { Item } from "../../../kit/code/links";
import type { Colour } from "./colours";

/** `here` is the line that the picture is about. */
export const programItems = (lines: readonly string[], colour: Colour, here: number): Item[] =>
  lines.map((text, index) => ({
    text,
    note: String(index + 1),
    concept: colour(index + 1),
    here: here === index + 1,
  }));

/** A line of loops or of a file, or the head above those of a kernel. */
export type Written = Code & { head?: boolean };

/** What is new is marked where anything is. */
export const codeItems = (lines: readonly Written[], colour: Colour): Item[] => {
  const some = lines.some((line) => line.new);
  return lines.map(({ text, depth, line, head, new: fresh }) => ({
    text: `${"  ".repeat(depth)}${text}`,
    concept: colour(line),
    ...(head && { head }),
    ...(some && { change: fresh ? ("new" as const) : ("same" as const) }),
  }));
};

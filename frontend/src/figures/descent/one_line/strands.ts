/** A number keeps its colour through all levels: those of x, of w, of b, and what is made of them. */
import type { Cut } from "../../../generated/descent/one_line/types";
import type { Series } from "../../../kit/concept";

const COLOURS: Record<string, Series> = { x: "series-1", w: "series-7", b: "series-3" };
export const RESULT: Series = "series-2";
export const INPUTS = ["x", "w", "b"] as const;

/** The colour of a key: `x3` is the element 3 of x, `y` the chosen element of the result. */
export const colourOf = (key: string): Series | undefined =>
  key === "" ? undefined : (COLOURS[key[0]!] ?? RESULT);

/** The colour of a number that stands for an input or for the result, by the tensor's name. */
export const colourOfTensor = (name: string): Series => COLOURS[name] ?? RESULT;

/** Of each tensor, the keys of its numbers that lead to the chosen element, with spaces between. */
export function keysOf({ touches, target }: Cut): Record<string, string> {
  const of = (name: string) =>
    touches
      .filter((each) => each.name === name)
      .map(({ place }) => `${name}${place}`)
      .join(" ");
  return { x: of("x"), w: of("w"), b: of("b"), [target]: "y", out: "y" };
}

export interface Piece {
  text: string;
  name?: string;
}

/** Text in which the names of tensors stand on their own. */
export function pieces(text: string, names: Record<string, string>): Piece[] {
  return text
    .split(/(\b[A-Za-z_]\w*\b)/)
    .filter((part) => part !== "")
    .map((part) => (part in names ? { text: part, name: part } : { text: part }));
}

/** A number in a small cell: all of it where it is short, else its first four digits. */
export function brief(text: string): string {
  if (text.length <= 5) return text;
  const number = Number(text.replace("−", "-"));
  return String(Number(number.toPrecision(4))).replace("-", "−");
}

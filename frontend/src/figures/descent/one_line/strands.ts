/** A number keeps its colour through all levels: those of x, of w, of b, and what is made of them. */
import type { Cut } from "../../../generated/descent/one_line/types";
import type { Series } from "../../../kit/concept";

const COLOURS: Record<string, Series> = { x: "series-1", w: "series-7", b: "series-3" };
export const RESULT: Series = "series-2";
/** The key of the chosen element. */
export const CHOSEN = "y";
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

const WIDEST = 6; // characters of a small cell

/** A number in a small cell: all of it where it is short, else its first three digits, or fewer if they do not fit. */
export function brief(text: string): string {
  const number = Number(text.replace("−", "-"));
  if (text.length <= 4 || !Number.isFinite(number)) return text;
  const ways = [3, 2, 1].map((digits) => Number(number.toPrecision(digits)));
  const whole = Math.abs(number) >= 1000 ? [String(Math.round(number))] : [];
  const said = [...whole, ...ways.flatMap((way) => [String(way), way.toExponential()])];
  return (said.find((each) => each.length <= WIDEST) ?? said.at(-1)!).replace("-", "−").replace("e+", "e");
}

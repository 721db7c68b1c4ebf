/** Where a token goes: across, the tokens stand in equal columns, and the parameters below them in columns of their
 *  own widths. In percent of the width. */
import type { Outcome } from "../../../generated/tools/parsers_compared/types";

/** Of the parameters, and last of what no parameter took. */
export const WIDTHS = [1.75, 1.1, 1, 0.95, 1, 1.35];
const whole = WIDTHS.reduce((sum, width) => sum + width);
/** Threads of the four libraries lie beside one another. */
const APART = 0.55;

export interface Thread {
  key: string;
  lane: number;
  /** To no parameter, or to one that could make nothing of it. */
  lost: boolean;
  d: string;
}

/** Tokens that no parameter took, where the program did not get its help. */
export const left = (one: Outcome, tokens: string[]): number[] =>
  one.status === 0
    ? []
    : tokens.flatMap((token, place) =>
        token === "--" || one.taken.some((each) => each.place === place) ? [] : [place],
      );

const middle = (column: number) =>
  ((WIDTHS.slice(0, column).reduce((sum, width) => sum + width, 0) + WIDTHS[column]! / 2) / whole) * 100;

export function threads(outcomes: Outcome[], names: string[], tokens: string[]): Thread[] {
  return outcomes.flatMap((one, lane) => {
    const shift = (lane - 1.5) * APART;
    const thread = (place: number, column: number, lost: boolean): Thread => {
      const from = ((place + 0.5) / tokens.length) * 100 + shift;
      const to = middle(column) + shift;
      const d = `M${from} 0C${from} 55 ${to} 45 ${to} 100`;
      return { key: `${one.library} ${place} ${column}`, lane, lost, d };
    };
    const taken = new Map(
      one.taken.map(({ place, name, refused }) => [`${place} ${name}`, { place, name, refused }]),
    );
    return [
      ...[...taken.values()].map((each) => thread(each.place, names.indexOf(each.name), each.refused)),
      ...left(one, tokens).map((place) => thread(place, names.length, true)),
    ];
  });
}

/** The weights that speak: threads from hidden neurons to digits, as wide as what they add to a score. */
import type { Picture } from "../../../generated/tensors/mlp_digits/types";
import { rows } from "../../../kit/arrays";

/** Of the largest weight or vote, from -1 to 1: the lab sends 128 for zero, 255 and 1 for the largest. */
export const signed = (byte: number): number => (byte - 128) / 127;

/** Neurons stand in rows of eight, as far as there are any. */
export const columnsOf = (neurons: number): number => Math.min(8, neurons);

/** Where the layers stand, in percent of their width. */
export const NEURONS = 60;
export const DIGITS = 74;

const MOST = 14; // threads to one digit that can still be told apart

export interface Thread {
  key: string;
  d: string;
  /** Of the largest vote. */
  share: number;
  against: boolean;
}

/** Those of one neuron to all digits; without one, the strongest to the digit that is asked about. */
export function threads(votes: Picture["votes"], digit: number, neuron: number | undefined): Thread[] {
  const all = rows(votes).map((row) => Array.from(row, signed));
  const ends =
    neuron === undefined
      ? [...all[digit]!.keys()].map((from) => ({ from, to: digit, vote: all[digit]![from]! }))
      : all.map((row, to) => ({ from: neuron, to, vote: row[neuron]! }));
  const largest = Math.max(...ends.map(({ vote }) => Math.abs(vote)));
  return ends
    .filter(({ vote }) => vote !== 0 && Math.abs(vote) >= largest / 50)
    .sort((one, other) => Math.abs(other.vote) - Math.abs(one.vote))
    .slice(0, MOST)
    .map(({ from, to, vote }) => ({
      key: `${from} ${to}`,
      d: path(from, all[0]!.length, to),
      share: Math.abs(vote) / largest,
      against: vote < 0,
    }));
}

/** From the middle of a neuron's cell to the left of a digit's row. */
function path(from: number, neurons: number, to: number): string {
  const columns = columnsOf(neurons);
  const lines = Math.ceil(neurons / columns);
  const x = (NEURONS * ((from % columns) + 0.5)) / columns;
  const y = (100 * (Math.floor(from / columns) + 0.5)) / lines;
  const end = 10 * (to + 0.5);
  return `M${x} ${y}C${(x + DIGITS) / 2} ${y} ${NEURONS} ${end} ${DIGITS} ${end}`;
}

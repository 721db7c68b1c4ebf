/** Slices of K: which of the eight colours each has, and who it is from picture to picture. */
import type { Colour } from "../../../kit/concept";
import type { Shape } from "../../../kit/Dot.svelte";
import type { Event } from "../../../generated/compilers/decompose_k/types";

interface Slice {
  /** Its place in K, which it shares with the first slice of its place in another cut. */
  key: string;
  /** The slice of the cut before that it was a part of. */
  from: string;
  /** Where in K it begins, from 0 to 1: its colour. */
  at: number;
  /** Percent of K. */
  left: number;
  width: number;
}

const place = (part: number, of: number): string => (part / of).toFixed(5);

/** Of the drawn cut, in the order of K. */
export function slices({ splits, counts, now }: Event): Slice[] {
  const before = counts[Math.max(0, now - 1)]!;
  return Array.from({ length: splits }, (_, slice) => ({
    key: place(slice, splits),
    from: place(Math.floor((slice * before) / splits), before),
    at: slice / splits,
    left: (100 * slice) / splits,
    width: 100 / splits,
  }));
}

/** The ways to add, as the figure tells them apart. */
export const WAYS: { name: string; words: string; concept: Colour; shape: Shape }[] = [
  { name: "in order", words: "added in order", concept: "series-1", shape: "round" },
  { name: "two levels", words: "in two levels", concept: "series-4", shape: "diamond" },
  { name: "on arrival", words: "on arrival", concept: "series-3", shape: "hollow" },
  { name: "batched", words: "PyTorch, batched", concept: "series-2", shape: "square" },
];

/** The ways through a tensor as it is drawn: across, down, and from grid to grid. */
import type { Series } from "../../../kit/concept";

export interface Way {
  arrow: string;
  colour: Series;
}

const WAYS: readonly Way[] = [
  { arrow: "→", colour: "series-1" },
  { arrow: "↓", colour: "series-2" },
  { arrow: "⧉", colour: "series-3" },
  { arrow: "⧉", colour: "series-4" },
  { arrow: "⧉", colour: "series-5" },
];

/** Of each dimension; the last one runs across. */
export const ways = (dims: number): Way[] => WAYS.slice(0, Math.max(0, dims)).toReversed();

/** From one place of the storage to another. */
export interface Hop {
  from: number;
  to: number;
  colour: Series | "address";
}

/** The steps from the start of the storage to an element: to the offset, then a stride for each of its indices. */
export function hops(offset: number, index: readonly number[], strides: readonly number[]): Hop[] {
  const all: Hop[] = offset ? [{ from: 0, to: offset, colour: "address" }] : [];
  const way = ways(index.length);
  let at = offset;
  index.forEach((steps, dim) => {
    const stride = strides[dim]!;
    for (let step = 0; stride && step < steps; step++, at += stride)
      all.push({ from: at, to: at + stride, colour: way[dim]!.colour });
  });
  return all;
}

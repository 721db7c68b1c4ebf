/** Values as lanes beside the rows of a graph: a lane begins where its value is computed and ends where it is used last. */
import type { Row } from "../../../generated/compilers/fusing_compiler/types";

export interface Lane {
  at: number;
  /** Index of the row whose value it carries. */
  of: number;
}
export interface Crossing {
  /** Lanes that only pass. */
  passing: Lane[];
  /** Lanes that are read here; `ends` if for the last time. */
  read: (Lane & { ends: boolean })[];
  /** Of its own value; −1 for a row that is gone. */
  own: number;
  /** Whether a row below reads it. */
  goesOn: boolean;
}

export function lanesOf(rows: readonly Row[]): { crossings: Crossing[]; width: number } {
  const index = new Map(rows.flatMap(({ number, change }, at) => (change === "gone" ? [] : [[number, at]])));
  const last = new Map<number, number>();
  rows.forEach(({ uses, change }, at) => {
    if (change !== "gone") for (const each of uses) if (index.has(each)) last.set(index.get(each)!, at);
  });
  const taken: (number | undefined)[] = []; // by the index of a row
  const lane = (row: number) => taken.indexOf(row);
  const crossings = rows.map(({ uses, change }, at): Crossing => {
    if (change === "gone") {
      return { passing: alive(), read: [], own: -1, goesOn: false };
    }
    const sources = uses.flatMap((each) => index.get(each) ?? []).filter((row) => lane(row) >= 0);
    const read = sources.map((of) => ({ at: lane(of), of, ends: last.get(of) === at }));
    const passing = alive().filter(({ of }) => !sources.includes(of));
    for (const { at: place, ends } of read) if (ends) taken[place] = undefined;
    const free = taken.findIndex((row) => row === undefined);
    const own = free < 0 ? taken.length : free;
    const goesOn = last.has(at);
    taken[own] = goesOn ? at : undefined;
    return { passing, read, own, goesOn };
  });
  return { crossings, width: Math.max(1, taken.length) };

  function alive(): Lane[] {
    return taken.flatMap((of, place) => (of === undefined ? [] : [{ at: place, of }]));
  }
}

/** Where the blocks of a program lie below each other, and which jumps lead from one to another. */
import type { Row } from "./stages";

/** From its head to its last row. */
export interface Block {
  key: string;
  first: number;
  last: number;
  /** Nothing of it is left. */
  gone: boolean;
}

/** A jump from a row to the head of a block. */
export interface Way {
  key: string;
  at: number;
  to: number;
  /** How far to the side it swings, as a share of the room there. */
  out: number;
  back: boolean;
  gone: boolean;
}

export interface Flow {
  blocks: Block[];
  ways: Way[];
  /** Where each row begins, in rows, and where the last one ends. */
  tops: number[];
  height: number;
}

/** Between two blocks, in rows. */
const APART = 0.5;

export function flow(rows: readonly Row[]): Flow {
  const blocks = blocksOf(rows);
  let y = 0;
  const tops = rows.map(({ starts }, index) => {
    const begins = starts || (blocks.some(({ first }) => first === index) && !rows[index - 1]?.starts);
    if (index > 0 && begins) y += APART;
    return y++;
  });
  return { blocks, ways: waysOf(rows, tops, blocks), tops, height: y };
}

function blocksOf(rows: readonly Row[]): Block[] {
  const heads = rows.flatMap(({ label }, index) => (label === undefined ? [] : [index]));
  const firsts = heads.filter((first, n) => {
    const next = heads[n + 1] ?? rows.length;
    // A gone head before what stays: its block has become part of the one above.
    const joined = rows[first]!.change === "gone" && !isGone(rows, first, next);
    return !joined && !(rows[first]!.starts && next === first + 1);
  });
  return firsts.map((first, n) => {
    const end = firsts[n + 1] ?? rows.length;
    const last = rows[end - 1]?.starts ? end - 2 : end - 1; // above the next function's name
    return { key: `block ${rows[first]!.key}`, first, last, gone: isGone(rows, first, last + 1) };
  });
}

const isGone = (rows: readonly Row[], first: number, end: number): boolean =>
  rows.slice(first, end).every(({ change }) => change === "gone");

/** The jumps, but for those to the next row. Of those that went only loops are shown. */
function waysOf(rows: readonly Row[], tops: readonly number[], blocks: readonly Block[]): Way[] {
  const holder = (at: number) => blocks.find(({ first, last }) => first <= at && at <= last)?.key ?? "";
  const found = rows.flatMap(({ jumps = [], change }, at) =>
    jumps.map((name) => {
      const to = headOf(rows, at, name);
      return { at, to, back: to < at, gone: change === "gone", name: `${holder(at)} to ${name}` };
    }),
  );
  const kept = new Set(found.flatMap(({ gone, name }) => (gone ? [] : [name])));
  const lanes: [top: number, foot: number][][] = [];
  const met = new Map<string, number>();
  return found
    .filter(
      ({ at, to, gone, back, name }) => to >= 0 && to !== at + 1 && (!gone || (back && !kept.has(name))),
    )
    .sort((one, other) => Math.abs(one.to - one.at) - Math.abs(other.to - other.at))
    .map(({ name, ...way }) => {
      const [top, foot] = [tops[Math.min(way.at, way.to)]!, tops[Math.max(way.at, way.to)]!];
      const free = lanes.findIndex((taken) => taken.every(([high, low]) => foot < high || low < top));
      const lane = free < 0 ? lanes.push([]) - 1 : free;
      lanes[lane]!.push([top, foot]);
      met.set(name, (met.get(name) ?? 0) + 1);
      return { ...way, key: `way ${name} ${met.get(name)}`, lane };
    })
    .map(({ lane, ...way }) => ({ ...way, out: (lane + 1) / lanes.length }));
}

/** The block of this name in the function of a row; rather one that is left. */
function headOf(rows: readonly Row[], at: number, name: string): number {
  const begin = rows.findLastIndex(({ starts }, index) => starts && index <= at);
  const next = rows.findIndex(({ starts }, index) => starts && index > at);
  const end = next < 0 ? rows.length : next;
  const here = (index: number) => begin < index && index < end && rows[index]!.label === name;
  const left = rows.findIndex(({ change }, index) => here(index) && change !== "gone");
  return left < 0 ? rows.findIndex((_, index) => here(index)) : left;
}

/** What runs of several labs came to, in one form: GFLOP/s of a kernel at a size, on a machine, on a day. */
import { at, quartiles, type Quartiles } from "../kit/arrays.ts";
import { number } from "../words/index.ts";
import type { NdArray } from "../runner/array";
import type { LabEvent, Params, Provenance } from "../runner/types";

export type Origin = "server" | "recorded" | "browser" | "brought";

export interface Row {
  kernel: string;
  n: number;
  /** GFLOP/s that three, two and one quarter of the repetitions reached. */
  speed: [low: number, median: number, high: number];
  /** GFLOP/s that so many threads can do there; undefined where nobody knows. */
  roof: number | undefined;
  /** Operations for each byte that has to be moved at least once, where the lab says so. */
  intensity?: number | undefined;
}

export interface Entry {
  id: string;
  origin: Origin;
  lab: string;
  params: Params;
  provenance: Provenance;
  rows: Row[];
  /** What bounds all of them, where it was measured. */
  roofs?: Roofs | undefined;
}

export interface Roofs {
  /** GFLOP/s of multiply-adds by all threads that were chosen. */
  peak: number;
  /** GB/s. */
  memory: number;
  cache: number;
}

/** A run of a lab that measures products of matrices; undefined if it is of another kind. */
export function entryOf(
  origin: Origin,
  lab: string,
  id: string,
  params: Params,
  provenance: Provenance,
  event: LabEvent,
): Entry | undefined {
  const rows = rowsOf(event);
  return rows.length > 0 ? { id, origin, lab, params, provenance, rows, roofs: roofsOf(event) } : undefined;
}

/** What the bench yields: several sizes a run. */
interface Several {
  kernels: string[];
  cores: number[];
  sizes: number[];
  speed: NdArray<Float32Array, ["kernel", "size", "quartile"]>;
  peaks: NdArray;
  bandwidths?: NdArray;
  intensity?: NdArray;
}
/** What the ladders yield. */
interface OneSize {
  names: string[];
  n: number;
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /** Threads of the processor; 0 on a GPU. */
  cores?: number[];
  /** Of one thread, or of each way. */
  peak: number | NdArray;
}
const several = (event: object): event is Several =>
  "kernels" in event && "sizes" in event && "speed" in event;
const oneSize = (event: object): event is OneSize => "names" in event && "n" in event && "speed" in event;

function rowsOf(event: LabEvent): Row[] {
  if (several(event)) {
    const { kernels, cores, sizes, speed, peaks, intensity } = event;
    return kernels.flatMap((kernel, row) =>
      sizes.flatMap((n, column) =>
        rowOf(
          kernel,
          n,
          quartiles(speed, row, column),
          peaks.data[cores[row]! > 1 ? 1 : 0]!,
          intensity?.data[column],
        ),
      ),
    );
  }
  if (oneSize(event)) {
    const { names, n, speed, cores, peak } = event;
    const roof = (way: number) => (typeof peak === "number" ? peak * (cores?.[way] ?? 1) : at(peak, way));
    return names.flatMap((name, way) => rowOf(name, n, quartiles(speed, way), roof(way)));
  }
  return [];
}

/** None where nothing was measured. */
function rowOf(
  kernel: string,
  n: number,
  { low, median, high }: Quartiles,
  roof: number,
  intensity?: number,
): Row[] {
  const speed: Row["speed"] = [low, median, high];
  return median > 0 ? [{ kernel, n, speed, roof: roof > 0 ? roof : undefined, intensity }] : [];
}

function roofsOf(event: LabEvent): Roofs | undefined {
  if (!several(event) || !event.bandwidths) return undefined;
  const [memory, cache] = event.bandwidths.data;
  const peak = event.peaks.data[1]!;
  return peak > 0 && memory! > 0 ? { peak, memory: memory!, cache: cache! } : undefined;
}

/** GFLOP/s in three digits. */
export const gflops = (speed: number): string => number(Number(speed.toPrecision(3)), 6);

export const fastest = ({ rows }: Pick<Entry, "rows">): Row =>
  rows.reduce((best, row) => (row.speed[1] > best.speed[1] ? row : best));

export interface Compared {
  /** Undefined for whatever was fastest there. */
  kernel: string | undefined;
  n: number;
  cells: (Cell | undefined)[];
}
interface Cell extends Row {
  /** So many times the first, and between which bounds the quarters leave it. */
  ratio: number;
  spread: [number, number];
}

/** Several entries beside each other: each kernel at each size that two of them have, and the fastest at each size. */
export function compare(entries: Entry[]): Compared[] {
  const lines = new Map<string, Compared & { cells: (Row | undefined)[] }>();
  entries.forEach((entry, place) => {
    const put = (kernel: string | undefined, row: Row) => {
      const key = `${row.n} ${kernel ?? ""}`;
      const line = lines.get(key) ?? { kernel, n: row.n, cells: entries.map(() => undefined) };
      (line.cells as (Row | undefined)[])[place] = row;
      lines.set(key, line);
    };
    for (const n of new Set(entry.rows.map((row) => row.n)))
      put(undefined, fastest({ rows: entry.rows.filter((row) => row.n === n) }));
    for (const row of entry.rows) put(row.kernel, row);
  });
  return [...lines.values()]
    .filter(({ cells }) => cells.filter(Boolean).length > 1)
    .map(({ kernel, n, cells }) => ({ kernel, n, cells: ratios(cells as (Row | undefined)[]) }))
    .sort((a, b) => a.n - b.n || Number(a.kernel !== undefined) - Number(b.kernel !== undefined));
}

/** Against the first that has it. */
function ratios(rows: (Row | undefined)[]): (Cell | undefined)[] {
  const [low, median, high] = rows.find(Boolean)!.speed;
  return rows.map(
    (row) =>
      row && {
        ...row,
        ratio: row.speed[1] / median,
        spread: [row.speed[0] / high, row.speed[2] / low],
      },
  );
}

/** One row a kernel and size, with all that says where it comes from. */
export function asTable(entries: Entry[]): (string | number | undefined)[][] {
  const head = ["origin", "machine", "at", "lab", "lab_version", "versions", "params", "kernel", "n"];
  return [
    [...head, "low_gflops", "median_gflops", "high_gflops", "roof_gflops"],
    ...entries.flatMap(({ origin, lab, params, provenance, rows }) => {
      const { machine, at, lab_version, versions } = provenance;
      const facts = [origin, machine, at, lab, lab_version, JSON.stringify(versions), JSON.stringify(params)];
      return rows.map(({ kernel, n, speed, roof }) => [...facts, kernel, n, ...speed, roof]);
    }),
  ];
}

/** What a chart draws, before anybody draws it: series of points whose words say where each comes from. */
import { say } from "../../kit/scale";
import { moment, number } from "../../words";
import { fastest, gflops, type Entry, type Row } from "../entries";

export interface Point {
  x: number | string;
  y: number;
  /** Between the quartiles. */
  low?: number;
  high?: number;
  /** A line each. */
  words: string[];
}
export interface Series {
  id: string;
  name: string;
  points: Point[];
  /** Which of the colours; a run and its bounds share it. */
  slot: number;
  /** A bound rather than a measurement: a line, and no table has it. */
  bound?: "solid" | "dot";
  /** Its points are not joined. */
  apart?: boolean;
}
export interface Axis {
  title: string;
  kind: "log" | "linear" | "date";
  /** Where something is; else at round numbers. */
  marks?: number[];
}
export interface Drawn {
  series: Series[];
  x: Axis;
  y: Axis;
}

export interface Words {
  rows: string;
  gflops: string;
  intensity: string;
  when: string;
  memory: (speed: string) => string;
  cache: (speed: string) => string;
  peak: (speed: string) => string;
  share: (percent: string) => string;
  between: (low: string, high: string) => string;
  versions: (versions: string) => string;
}

const GFLOPS = (speed: number) => `${gflops(speed)} GFLOP/s`;

/** A machine in the words that tell it from the others: its GPU, or its processor and cores. */
export function shortly({ provenance, params }: Entry): string {
  const { hardware, machine } = provenance;
  if (!hardware) return machine.split(",").slice(0, 2).join(",");
  if (params.device === "cuda" && hardware.gpu) return hardware.gpu.split(",")[0]!;
  return [hardware.browser ?? hardware.processor, hardware.cores].filter(Boolean).join(", ") || machine;
}

const precision = ({ params }: Entry) => (typeof params.precision === "string" ? params.precision : "fp32");

/** As many series as one can tell apart. */
export const MOST = 8;

/** Runs by what a reader calls the same machine in the same precision. */
const groupOf = (entry: Entry): string => `${shortly(entry)}, ${precision(entry)}`;

/** A short name may cover several machines. */
const exactly = (entry: Entry): string => `${entry.provenance.machine}, ${precision(entry)}`;

/** Where a point comes from. */
export function told(entry: Entry, row: Row, w: Words): string[] {
  const [low, median, high] = row.speed;
  const { machine, at, versions } = entry.provenance;
  return [
    `${row.kernel}, n = ${number(row.n)}: ${GFLOPS(median)}`,
    w.between(gflops(low), gflops(high)) +
      (row.roof ? `, ${w.share(say((100 * median) / row.roof, 2))}` : ""),
    machine,
    w.versions(
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ),
    moment(at),
  ];
}

/** The newest runs of several sizes, of each machine and precision. */
export function telling(entries: Entry[]): Entry[] {
  const sizes = ({ rows }: Entry) => new Set(rows.map(({ n }) => n)).size;
  const groups = new Map<string, Entry>();
  for (const entry of [...entries].sort((a, b) => b.provenance.at.localeCompare(a.provenance.at)))
    if (sizes(entry) > 1 && !groups.has(exactly(entry))) groups.set(exactly(entry), entry);
  return [...groups.values()];
}

/** A slot each, and names that differ: by when it was where a machine has several, and by a number where that is equal. */
export function named(entries: Entry[]): Map<Entry, { name: string; slot: number }> {
  const taken = new Map<string, number>();
  return new Map(
    entries.map((entry, slot) => {
      const group = groupOf(entry);
      const several = entries.filter((other) => groupOf(other) === group).length > 1;
      const name = several ? `${group}, ${moment(entry.provenance.at)}` : group;
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      return [entry, { name: before ? `${name} (${before + 1})` : name, slot }];
    }),
  );
}

const pointsOf = (entry: Entry, rows: Row[], x: (row: Row) => number, w: Words): Point[] =>
  rows
    .map((row) => ({
      x: x(row),
      y: row.speed[1],
      low: row.speed[0],
      high: row.speed[2],
      words: told(entry, row, w),
    }))
    .sort((a, b) => a.x - b.x);

/** The fastest kernel of each size. */
export const best = ({ rows }: Entry): Row[] =>
  [...new Set(rows.map(({ n }) => n))].map((n) => fastest({ rows: rows.filter((row) => row.n === n) }));

export function overSize(entries: Entry[], every: boolean, w: Words): Drawn {
  const looks = named(entries);
  const series = entries.flatMap((entry): Series[] => {
    const { name, slot } = looks.get(entry)!;
    if (!every) return [{ id: entry.id, name, slot, points: pointsOf(entry, best(entry), ({ n }) => n, w) }];
    return [...new Set(entry.rows.map(({ kernel }) => kernel))].map((kernel, place) => ({
      id: `${entry.id} ${kernel}`,
      name: entries.length > 1 ? `${kernel}: ${name}` : kernel,
      slot: entries.length > 1 ? slot : place,
      points: pointsOf(
        entry,
        entry.rows.filter((row) => row.kernel === kernel),
        ({ n }) => n,
        w,
      ),
    }));
  });
  const marks = [...new Set(entries.flatMap(({ rows }) => rows.map(({ n }) => n)))].sort((a, b) => a - b);
  return { series, x: { title: w.rows, kind: "log", marks }, y: { title: w.gflops, kind: "log" } };
}

/** Whether there is something to draw it below. */
export const roofed = ({ roofs, rows }: Entry): boolean => !!roofs && rows.some(({ intensity }) => intensity);

/** Roofs where they were measured, and the fastest kernel of each size below them. */
export function roofline(entries: Entry[], w: Words): Drawn {
  const below = entries.filter(roofed);
  const looks = named(below);
  const most = Math.max(100, ...below.flatMap(({ rows }) => rows.map(({ intensity = 1 }) => 2 * intensity)));
  const series = below.flatMap((entry): Series[] => {
    const { name, slot } = looks.get(entry)!;
    const { peak, memory, cache } = entry.roofs!;
    const slope = (speed: number, words: string, bound: "solid" | "dot"): Series => ({
      id: `${entry.id} ${bound}`,
      name,
      slot,
      bound,
      points: [Math.min(0.5, (0.1 * peak) / speed), peak / speed, most]
        .sort((a, b) => a - b)
        .map((x) => ({
          x,
          y: Math.min(peak, x * speed),
          words: [x * speed >= peak ? w.peak(GFLOPS(peak)) : words, name],
        })),
    });
    return [
      slope(memory, w.memory(say(memory, 3)), "solid"),
      ...(cache > memory ? [slope(cache, w.cache(say(cache, 3)), "dot")] : []),
      {
        id: entry.id,
        name,
        slot,
        apart: true,
        points: pointsOf(entry, best(entry), ({ intensity }) => intensity!, w),
      },
    ];
  });
  return { series, x: { title: w.intensity, kind: "log" }, y: { title: w.gflops, kind: "log" } };
}

/** What each run reached at best, on the day of the run. */
export function overTime(entries: Entry[], w: Words): Drawn {
  const groups = Map.groupBy(entries, groupOf);
  const series = [...groups].map(([name, runs], slot): Series => ({
    id: name,
    name,
    slot,
    apart: true, // of several labs, on several days: nothing lies between them
    points: runs
      .map((entry) => {
        const row = fastest(entry);
        const [low, y, high] = row.speed;
        return { x: entry.provenance.at, y, low, high, words: told(entry, row, w) };
      })
      .sort((a, b) => a.x.localeCompare(b.x)),
  }));
  return { series, x: { title: w.when, kind: "date" }, y: { title: w.gflops, kind: "log" } };
}

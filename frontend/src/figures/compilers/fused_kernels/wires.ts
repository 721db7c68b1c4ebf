/** Where values live while a program runs: in the processor as long as a pass needs them, else in memory. */
import type { Given, Kernels, Made } from "../../../generated/compilers/fused_kernels/types";

/** An input of the program, or what an operation makes. A row is an operation. */
export interface Value {
  key: string;
  name: string;
  bytes: number;
  /** The row that makes it; -1 for an input. */
  made: number;
  users: number[];
  result: boolean;
  /** Beside the operations, where it waits for a later one; undefined where the next takes it at once. */
  lane: number | undefined;
  /** In memory. */
  place: number;
}

/** A value on its way through one pass: made there or loaded, held from its first row to its last, stored or not. */
export interface Stay {
  value: Value;
  pass: number;
  rows: number[];
  loaded: boolean;
  stored: boolean;
}

/** A lane for each span of rows, so that no two in one overlap. */
function lanes(spans: readonly (readonly [from: number, to: number])[]): number[] {
  const ends: number[] = [];
  return spans.map(([from, to]) => {
    const free = ends.findIndex((end) => end < from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    return lane;
  });
}

export function valuesOf({ given, made }: { given: Given[]; made: Made[] }): Value[] {
  const users = (of: number) => made.flatMap(({ takes }, row) => (takes.includes(of) ? [row] : []));
  const all = [
    ...given.map(({ name, bytes }, n) => ({
      key: `in ${n}`,
      name,
      bytes,
      made: -1,
      users: users(-1 - n),
      result: false,
    })),
    ...made.map(({ bytes, result }, row) => ({
      key: `made ${row}`,
      name: "",
      bytes,
      made: row,
      users: users(row),
      result,
    })),
  ];
  const waits = all.filter(
    ({ made, users }) => users.length > (made < 0 ? 1 : 0) && users.at(-1) !== made + 1,
  );
  const waiting = lanes(waits.map(({ made, users }) => [made < 0 ? users[0]! : made, users.at(-1)!]));
  const between = all.filter(({ made, result }) => made >= 0 && !result);
  const kept = lanes(between.map(({ made, users }) => [made, users.at(-1) ?? made]));
  const temporaries = Math.max(0, ...kept.map((lane) => lane + 1));
  const results = all.filter(({ result }) => result);
  return all.map((value) => {
    const lane = waits.indexOf(value);
    const place =
      value.made < 0
        ? all.indexOf(value)
        : given.length +
          (value.result ? temporaries + results.indexOf(value) : kept[between.indexOf(value)]!);
    return { ...value, lane: lane < 0 ? undefined : waiting[lane]!, place };
  });
}

/** How all values go through these passes. */
export function staysOf(values: readonly Value[], passes: readonly (readonly number[])[]): Stay[] {
  return values.flatMap((value) =>
    passes.flatMap((rows, pass) => {
      const used = value.users.filter((row) => rows.includes(row));
      const own = value.made >= 0 && rows.includes(value.made);
      if (!own && used.length === 0) return [];
      const stored = own && (value.result || used.length < value.users.length);
      return [{ value, pass, rows: own ? [value.made, ...used] : used, loaded: !own, stored }];
    }),
  );
}

/** How many arrays are read from memory, or written to it. */
export const crossings = (stays: readonly Stay[]): number =>
  stays.reduce((sum, { loaded, stored }) => sum + Number(loaded) + Number(stored), 0);

/** The passes of the way that a picture is about; of ours before the first is measured. */
export const wayOf = ({ ways, stage }: Kernels): number => Math.max(0, ways.indexOf(stage));

export const apart = ({ made }: Kernels): number[][] => made.map((_, row) => [row]);

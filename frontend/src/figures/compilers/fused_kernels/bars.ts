/** Where the wires of Wires.svelte run, in the units of its drawing: a row for each operation, memory on the right. */
import type { Kernels } from "../../../generated/compilers/fused_kernels/types";
import { staysOf, valuesOf, type Stay, type Value } from "./wires";

export const TOP = 34;
export const ROW = 27;
/** Of an operation: its strip. */
export const HIGH = 20;
export const LEFT = 84;
export const RIGHT = 132;
const OUT = 9; // below the middle of its row, a result leaves
const FIRST = 12; // from a strip to the first lane
const LANE = 14;
const SHORE = 26; // from where memory begins to the first array
const PLACE = 22;

/** From `begin` to `end`, across a row or down through rows. */
export interface Bar {
  mark: string;
  value: Value;
  /** Of a bar that goes down; the other one's y. */
  at: number;
  begin: number;
  end: number;
  from?: string;
}

export const middle = (row: number): number => TOP + ROW * (row + 0.5);

export class Board {
  readonly values: Value[];
  readonly stays: Stay[];
  /** Where memory begins. */
  readonly shore: number;
  readonly width: number;
  readonly bottom: number;

  constructor(
    private readonly event: Kernels,
    passes: readonly (readonly number[])[],
  ) {
    this.values = valuesOf(event);
    this.stays = staysOf(this.values, passes);
    const most = (each: (value: Value) => number) => Math.max(...this.values.map(each));
    this.shore = this.lane(
      1 +
        Math.max(
          1,
          most(({ lane = -1 }) => lane),
        ),
    );
    this.width = this.shore + SHORE + PLACE * most(({ place }) => place) + PLACE;
    this.bottom = TOP + ROW * event.made.length;
  }

  private lane(lane: number): number {
    return RIGHT + FIRST + LANE * lane;
  }

  place({ place }: Value): number {
    return this.shore + SHORE + PLACE * place;
  }

  /** Where an operation takes a value in. */
  private into(row: number, value: Value): number {
    const code = value.made < 0 ? -1 - this.values.indexOf(value) : value.made;
    return middle(row) - 8 + 8 * this.event.made[row]!.takes.indexOf(code);
  }

  private leaves({ made }: Value): number {
    return middle(made) + OUT;
  }

  /** Across a row: between an operation and memory, or where a value waits. */
  across(): Bar[] {
    return this.stays.flatMap((stay) => {
      const { value, rows, loaded, stored, pass } = stay;
      const waits = waitsIn(stay);
      const { key } = value;
      const begin = waits === undefined ? RIGHT : this.lane(waits);
      const far = loaded && waits === undefined ? this.place(value) : begin;
      const bars: Bar[] = (loaded ? rows : rows.slice(1)).map((row) => {
        return { mark: `use ${key} ${row}`, value, at: this.into(row, value), begin: RIGHT, end: far };
      });
      if (loaded)
        bars.push({
          mark: `in ${key} ${pass}`,
          value,
          at: this.into(rows[0]!, value),
          begin: far,
          end: this.place(value),
        });
      else bars.push({ mark: `wait ${key}`, value, at: this.leaves(value), begin: RIGHT, end: begin });
      if (stored) {
        const end = this.place(value);
        bars.push({
          mark: `out ${key}`,
          from: `value ${key}`,
          value,
          at: this.leaves(value),
          begin: RIGHT,
          end,
        });
      }
      return bars.filter(({ begin, end }) => end > begin);
    });
  }

  /** Down through rows: what the processor keeps, and what lies in memory between two passes. */
  down(): Bar[] {
    return this.stays.flatMap((stay) => {
      const { value, rows, loaded, stored, pass } = stay;
      const waits = waitsIn(stay);
      const last = rows.at(-1)!;
      const bars: Bar[] = [];
      if (rows.length > 1 && waits === undefined)
        bars.push({
          mark: `value ${value.key}`,
          value,
          at: (LEFT + RIGHT) / 2,
          begin: middle(rows[0]!) + HIGH / 2,
          end: middle(last) - HIGH / 2,
        });
      if (rows.length > 1 && waits !== undefined)
        bars.push({
          mark: loaded ? `value ${value.key} ${pass}` : `value ${value.key}`,
          value,
          at: this.lane(waits),
          begin: loaded ? this.into(rows[0]!, value) : this.leaves(value),
          end: this.into(last, value),
        });
      if (stored)
        bars.push({
          mark: rows.length > 1 ? `stored ${value.key}` : `value ${value.key}`,
          value,
          ...this.inMemory(value),
        });
      return bars;
    });
  }

  /** Where a result of an operation lies in memory, if it does. */
  inMemory(value: Value): { at: number; begin: number; end: number } {
    const last = value.users.at(-1);
    const end = value.result || last === undefined ? this.bottom : this.into(last, value);
    return { at: this.place(value), begin: this.leaves(value), end };
  }

  /** Where an array comes out of memory, or goes into it. */
  gates(): { mark: string; value: Value; y: number; out: boolean }[] {
    return this.stays.flatMap(({ value, rows, loaded, stored }) => [
      ...(loaded
        ? [{ mark: `load ${value.key} ${rows[0]}`, value, y: this.into(rows[0]!, value), out: false }]
        : []),
      ...(stored ? [{ mark: `store ${value.key}`, value, y: this.leaves(value), out: true }] : []),
    ]);
  }

  /** What never is in memory. */
  spared(): Value[] {
    const stored = new Set(this.stays.filter((stay) => stay.stored).map(({ value }) => value));
    return this.values.filter((value) => value.made >= 0 && !value.result && !stored.has(value));
  }
}

/** The lane beside the operations in which a value waits for a later one of the same pass. */
const waitsIn = ({ value, rows }: Stay): number | undefined => (rows.length > 1 ? value.lane : undefined);

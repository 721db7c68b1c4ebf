/** Spans laid out once, so that a frame touches what it shows: each row is sorted by time and found by halving. */
import type { Event } from "../../../generated/pytorch/profiler_trace/types";

export type Spans = Pick<
  Event,
  "names" | "sorts" | "name" | "start" | "took" | "own" | "depth" | "thread" | "shapes" | "shape" | "end"
>;

/** What a chart shows of the time, in nanoseconds. */
export interface Window {
  from: number;
  to: number;
}

export interface Colours {
  /** By the sort of a span. */
  fills: Record<Event["sorts"][number], string>;
  ink: string;
  paper: string;
  strong: string;
  font: string;
}

export interface Shown {
  window: Window;
  width: number;
  height: number;
  row: number;
  /** The names that stand out; undefined: all alike. */
  lit: Set<number> | undefined;
  chosen: number;
  range: Window | undefined;
}

/** Pixels of a row: where there are few, they are higher. */
export const rowOf = (rows: number, room: number): number =>
  Math.max(16, Math.min(28, Math.floor(room / Math.max(1, rows))));

const WORDS_FROM = 26; // pixels
const GLYPH = 6.65; // pixels of a letter

export class Chart {
  /** By row: the spans in it, in their order in time. */
  readonly rows: Int32Array[];
  readonly parent: Int32Array;
  readonly row: Int32Array;

  constructor(readonly of: Spans) {
    const count = of.start.data.length;
    const lanes = new Map<number, number>(); // the first row of each thread
    const deepest = new Map<number, number>();
    for (let n = 0; n < count; n++) {
      const thread = of.thread.data[n]!;
      deepest.set(thread, Math.max(deepest.get(thread) ?? 0, of.depth.data[n]!));
    }
    let next = 0;
    for (const [thread, depth] of deepest) {
      lanes.set(thread, next);
      next += depth + 1;
    }
    this.row = Int32Array.from(
      { length: count },
      (_, n) => lanes.get(of.thread.data[n]!)! + of.depth.data[n]!,
    );
    const lists: number[][] = Array.from({ length: next }, () => []);
    this.parent = new Int32Array(count).fill(-1);
    for (let n = 0; n < count; n++) {
      const row = this.row[n]!;
      lists[row]!.push(n);
      if (of.depth.data[n]! > 0) this.parent[n] = lists[row - 1]!.at(-1) ?? -1;
    }
    this.rows = lists.map((list) => Int32Array.from(list));
  }

  end(span: number): number {
    return this.of.start.data[span]! + this.of.took.data[span]!;
  }

  /** The place in a row of the first span that ends after a moment. */
  first(row: Int32Array, moment: number): number {
    let [low, high] = [0, row.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(row[middle]!) > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The span at a moment in a row, or the nearest within a tolerance; -1 for none. */
  at(row: number, moment: number, tolerance: number): number {
    const spans = this.rows[row];
    if (!spans) return -1;
    const found = spans[this.first(spans, moment - tolerance)];
    return found !== undefined && this.of.start.data[found]! <= moment + tolerance ? found : -1;
  }

  draw(pen: CanvasRenderingContext2D, shown: Shown, colours: Colours): void {
    const { window, width, height, row: high, lit, chosen, range } = shown;
    const { start, name } = this.of;
    const scale = width / (window.to - window.from);
    const labels: [words: string, x: number, y: number, dim: boolean][] = [];
    pen.clearRect(0, 0, width, height);
    this.rows.forEach((row, depth) => {
      const y = depth * high;
      let drawn = -1; // the last pixel that is taken
      let sort: string | undefined;
      for (let n = this.first(row, window.from); n < row.length; n++) {
        const span = row[n]!;
        const left = Math.max(0, (start.data[span]! - window.from) * scale);
        if (left >= width) break;
        const right = Math.min(width, (this.end(span) - window.from) * scale);
        const dim = lit !== undefined && !lit.has(name.data[span]!);
        if (right <= drawn && (dim || lit === undefined)) continue; // another one has this pixel
        const fill = this.of.sorts[name.data[span]!]!;
        if (`${fill} ${dim}` !== sort) {
          sort = `${fill} ${dim}`;
          pen.fillStyle = colours.fills[fill];
          pen.globalAlpha = dim ? 0.4 : 1;
        }
        const wide = Math.max(1, right - left - (right - left > 3 ? 1 : 0));
        pen.fillRect(left, y, wide, high - 1);
        drawn = Math.floor(left + wide);
        if (wide >= WORDS_FROM) labels.push([cut(this.of.names[name.data[span]!]!, wide), left + 3, y, dim]);
      }
    });
    pen.font = colours.font;
    pen.textBaseline = "middle";
    pen.fillStyle = colours.ink;
    for (const [words, x, y, dim] of labels) {
      pen.globalAlpha = dim ? 0.6 : 1;
      pen.fillText(words, x, y + high / 2);
    }
    pen.globalAlpha = 1;
    if (range) {
      const [left, right] = [(range.from - window.from) * scale, (range.to - window.from) * scale];
      pen.fillStyle = colours.strong;
      pen.globalAlpha = 0.14;
      pen.fillRect(left, 0, right - left, height);
      pen.globalAlpha = 1;
      pen.fillRect(left - 0.5, 0, 1, height);
      pen.fillRect(right - 0.5, 0, 1, height);
    }
    if (chosen >= 0) {
      const left = (start.data[chosen]! - window.from) * scale;
      const right = (this.end(chosen) - window.from) * scale;
      pen.strokeStyle = colours.strong;
      pen.lineWidth = 2;
      pen.strokeRect(left, this.row[chosen]! * high, Math.max(2, right - left), high - 1);
    }
  }

  /** Self time by name within a range, in nanoseconds; the most comes first. */
  within({ from, to }: Window): { at: number; own: number; calls: number }[] {
    const own = new Float64Array(this.of.names.length);
    const calls = new Int32Array(this.of.names.length);
    for (const row of this.rows) {
      for (let n = this.first(row, from); n < row.length; n++) {
        const span = row[n]!;
        if (this.of.start.data[span]! >= to) break;
        const inside = Math.min(to, this.end(span)) - Math.max(from, this.of.start.data[span]!);
        const name = this.of.name.data[span]!;
        own[name]! += inside;
        calls[name]! += 1;
        if (this.parent[span]! >= 0) own[this.of.name.data[this.parent[span]!]!]! -= inside;
      }
    }
    return [...own.keys()]
      .filter((at) => calls[at]! > 0)
      .map((at) => ({ at, own: own[at]!, calls: calls[at]! }))
      .sort((one, other) => other.own - one.own);
  }
}

function cut(words: string, wide: number): string {
  const fits = Math.floor((wide - 6) / GLYPH);
  const short = words.replace(/^aten::/, "");
  return short.length <= fits ? short : `${short.slice(0, Math.max(1, fits - 1))}…`;
}

/** The same spans as paths of one color each, where a page shows them before any script runs. */
export function paths(of: Spans, rows: number): { sort: Event["sorts"][number]; d: string }[] {
  const made = new Map<Event["sorts"][number], string>();
  const scale = 1000 / Math.max(1, of.end);
  of.start.data.forEach((start, n) => {
    const wide = of.took.data[n]! * scale;
    if (wide < 0.7) return;
    const sort = of.sorts[of.name.data[n]!]!;
    const at = `M${(start * scale).toFixed(1)} ${of.depth.data[n]!}h${wide.toFixed(1)}v.92h-${wide.toFixed(1)}z`;
    made.set(sort, (made.get(sort) ?? "") + at);
  });
  return rows > 0 ? [...made].map(([sort, d]) => ({ sort, d })) : [];
}

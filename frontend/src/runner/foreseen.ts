/** Runs that a reader probably asks for next, made while nobody asks for anything. */
import type { Params, RunEvent, Runner, Value } from "./types";

/** What a parameter takes. */
export interface Range {
  type?: string;
  minimum?: number;
  maximum?: number;
  enum?: (string | number)[];
  examples?: Record<string, string>;
  default?: Value;
}

/** Digits that survive the arithmetic of one step: 0.2 + 0.1 is the slider's 0.3. */
const DIGITS = 12;
/** So many runs are foreseen, at most. */
const MOST = 3;

/** By how much a slider moves at a key. */
export function strideOf({ type, minimum, maximum }: Range): number {
  return type === "integer" ? 1 : 10 ** Math.floor(Math.log10((maximum! - minimum!) / 100));
}

/** Settings that lie beside these, the likeliest first: those of a parameter that somebody has a hand on. Who has just
 *  moved it from another value goes on, rather than back. */
export function beside(
  properties: Record<string, Range>,
  now: Params,
  name: string,
  before?: Value,
): Params[] {
  if (name === "seed") return []; // it is rolled
  const value = now[name]!;
  const values = neighbours(properties[name]!, value, before ?? value);
  const others = new Set(values.filter((next) => next !== undefined && next !== value && next !== before));
  return [...others].slice(0, MOST).map((next) => ({ ...now, [name]: next! }));
}

function neighbours(range: Range, now: Value, before: Value): (Value | undefined)[] {
  if (typeof now === "boolean") return [!now];
  const choices: Value[] = range.enum ?? Object.values(range.examples ?? {});
  const at = choices.indexOf(now);
  if (at >= 0) {
    const way = choices.indexOf(before) > at ? -1 : 1;
    return [1, -1, 2, -2].map((by) => choices[at + way * by]);
  }
  if (typeof now !== "number" || typeof before !== "number") return [];
  const stride = strideOf(range) * (before > now ? -1 : 1);
  return [now - before, stride, -stride]
    .map((by) => Number((now + by).toPrecision(DIGITS)))
    .filter((next) => next >= range.minimum! && next <= range.maximum!);
}

/** The one of the page; there is one Python, so whoever asks for a run ends it. */
let unasked: Foreseen | undefined;
export const makeWay = (): void => unasked?.drop();

export class Foreseen {
  private readonly control = new AbortController();
  private readonly events: RunEvent[] = [];
  private readonly taken: Promise<void>;
  /** Until nothing more comes of it. */
  readonly settled: Promise<void>;
  private over = false;
  private wake: () => void = () => undefined;

  constructor(runner: Runner, lab: string, params: Params, target: number | undefined) {
    this.taken = this.take(runner.run(lab, params, this.control.signal, target));
    this.settled = this.taken.catch(() => undefined); // who asks for it is told
    unasked = this; // not before: the runner makes way for all that begins, and this is no exception
  }

  /** Whether who asks for it gets all of it: it has not been dropped on its way. */
  get offered(): boolean {
    return this.events.at(-1)?.kind === "end" || !this.control.signal.aborted;
  }

  /** Somebody asks for another. */
  drop(): void {
    this.control.abort();
    if (unasked === this) unasked = undefined;
  }

  /** Somebody asks for it: what has come, and the rest as it comes. */
  async *asked(signal: AbortSignal): AsyncGenerator<RunEvent> {
    if (unasked === this) unasked = undefined;
    const abort = () => this.control.abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (let next = 0; !signal.aborted;) {
        if (next < this.events.length) yield this.events[next++]!;
        else if (this.over) return await this.taken;
        else await new Promise<void>((wake) => (this.wake = wake));
      }
    } finally {
      signal.removeEventListener("abort", abort);
      abort();
    }
  }

  private async take(coming: AsyncIterable<RunEvent>): Promise<void> {
    try {
      for await (const event of coming) {
        this.events.push(event);
        this.wake();
      }
    } finally {
      this.over = true;
      this.wake();
    }
  }
}

/** The run that a reader probably asks for next, made while nobody asks for anything. */
import type { Params, RunEvent, Runner, Value } from "./types";

/** What a parameter takes. */
export interface Range {
  minimum?: number;
  maximum?: number;
  enum?: (string | number)[];
  examples?: Record<string, string>;
  default?: Value;
}

/** Digits that survive the arithmetic of one step: 0.2 + 0.1 is the slider's 0.3. */
const DIGITS = 12;

/** One step further along what was changed last, a slider or a list; undefined where nothing lies further. */
export function following(
  properties: Record<string, Range>,
  before: Params,
  now: Params,
): Params | undefined {
  const changed = Object.keys(now).filter((name) => now[name] !== before[name]);
  const [name] = changed;
  if (name === undefined || name === "seed" || changed.length > 1) return undefined;
  const next = further(properties[name]!, before[name]!, now[name]!);
  return next === undefined ? undefined : { ...now, [name]: next };
}

function further(range: Range, before: Value, now: Value): Value | undefined {
  const { enum: choices = Object.values(range.examples ?? {}), minimum, maximum } = range;
  const [from, to] = [before, now].map((value) => choices.indexOf(value as string | number)) as [
    number,
    number,
  ];
  if (to >= 0) return choices[to + Math.sign(to - from)];
  if (typeof before !== "number" || typeof now !== "number") return undefined;
  const next = Number((2 * now - before).toPrecision(DIGITS));
  return next >= minimum! && next <= maximum! ? next : undefined;
}

/** The one of the page; there is one Python, so whoever asks for a run ends it. */
let unasked: Foreseen | undefined;
export const makeWay = (): void => unasked?.drop();

export class Foreseen {
  private readonly control = new AbortController();
  private readonly events: RunEvent[] = [];
  private readonly taken: Promise<void>;
  private over = false;
  private wake: () => void = () => undefined;

  constructor(runner: Runner, lab: string, params: Params, target: number | undefined) {
    this.taken = this.take(runner.run(lab, params, this.control.signal, target));
    this.taken.catch(() => undefined); // who asks for it is told
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

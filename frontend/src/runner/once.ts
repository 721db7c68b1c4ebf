/** Makes no run twice: who comes back to settings sees at once what they gave. Equal runs have equal events.
 *  And who moves on sees at once what was made meanwhile. */
import { beside, Foreseen, type Range } from "./foreseen";
import type { End, Params, RunEvent, Runner, Value } from "./types";

/** Runs of one figure that are known; each has some hundred kilobytes. */
const MOST = 8;
/** A slider that is being pulled asks again before this: what it asks for is better than a guess. */
const PAUSE_MS = 8;

export function once(runner: Runner, properties: Record<string, Range>): Runner {
  const made = new Map<string, readonly RunEvent[]>();
  /** Runs of settings that somebody may ask for next, made or on their way. */
  const ahead = new Map<string, Foreseen>();
  let asked = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, property.default!]),
  ) as Params;
  /** The parameter that somebody has a hand on. */
  let hand: string | undefined;
  /** Counts what somebody wanted: what was expected before that is so no longer. */
  let turn = 0;

  /** One after another, until somebody asks for something. */
  async function foresee(lab: string, params: Params, before?: Value, target?: number): Promise<void> {
    const current = ++turn;
    const likely = hand === undefined ? [] : beside(properties, params, hand, before);
    const keyed = new Map(likely.map((next) => [JSON.stringify([lab, next]), next]));
    for (const [key, run] of ahead) if (!keyed.has(key) || !run.offered) ahead.delete(key);
    await new Promise((over) => setTimeout(over, PAUSE_MS));
    for (const [key, next] of keyed) {
      if (turn !== current) return;
      if (made.has(key)) continue;
      const run = ahead.get(key) ?? new Foreseen(runner, lab, next, target);
      ahead.set(key, run);
      await run.settled;
      if (!run.offered) return; // another figure was asked for something
    }
  }

  return {
    async *run(lab, params, signal, target) {
      turn++;
      const key = JSON.stringify([lab, params]);
      const changed = Object.keys(params).filter((name) => params[name] !== asked[name]);
      const [name] = changed;
      const before = changed.length === 1 ? asked[name!] : undefined;
      if (before !== undefined) hand = name;
      asked = params;
      const known = made.get(key);
      const foreseen = ahead.get(key);
      ahead.delete(key);
      const come = !known && foreseen?.offered ? foreseen.asked(signal) : undefined;
      const events: RunEvent[] = [];
      for await (const event of known ?? come ?? runner.run(lab, params, signal, target)) {
        events.push(event);
        yield event;
      }
      const end = events.at(-1);
      if (end?.kind !== "end" || (end as End).status !== "ok") return;
      made.delete(key); // the newest stands last
      made.set(key, events);
      if (made.size > MOST) made.delete(made.keys().next().value!);
      if (asked === params) void foresee(lab, params, before, target);
    },
    nears(lab, params, name, target) {
      hand = name;
      void foresee(lab, params, undefined, target);
    },
  };
}

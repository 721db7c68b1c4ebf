/** Makes no run twice: who comes back to settings sees at once what they gave. Equal runs have equal events.
 *  And who moves on sees at once what was made meanwhile. */
import { following, Foreseen, type Range } from "./foreseen";
import type { End, Params, RunEvent, Runner } from "./types";

/** Runs of one figure that are known; each has some hundred kilobytes. */
const MOST = 8;
/** A slider that is being pulled asks again before this: what it asks for is better than a guess. */
const PAUSE_MS = 8;

export function once(runner: Runner, properties: Record<string, Range>): Runner {
  const made = new Map<string, readonly RunEvent[]>();
  let asked = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, property.default!]),
  ) as Params;
  let ahead: { key: string; run: Foreseen } | undefined;

  function foresee(lab: string, before: Params, params: Params, target?: number): void {
    const next = following(properties, before, params);
    const key = JSON.stringify([lab, next]);
    if (!next || made.has(key)) return;
    setTimeout(() => {
      if (asked === params) ahead = { key, run: new Foreseen(runner, lab, next, target) };
    }, PAUSE_MS);
  }

  return {
    async *run(lab, params, signal, target) {
      const key = JSON.stringify([lab, params]);
      const before = asked;
      asked = params;
      const known = made.get(key);
      const come = ahead?.key === key && ahead.run.offered ? ahead.run.asked(signal) : undefined;
      ahead = undefined;
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
      foresee(lab, before, params, target);
    },
  };
}

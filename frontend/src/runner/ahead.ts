/** Shows the first events of a server run before the server has them: a lab that makes the same ones runs in the
 *  browser at the same time. Once the server's log has passed them it takes their place, whole. */
import { isEngineEvent, type RunEvent, type Runner } from "./types";

/** Runs that follow each other this fast are of one reader typing: the server is asked after a pause. */
const PAUSE_MS = 300;

/** `front` is that lab and the names of its parameters, which the other has, too. */
export function ahead(quick: Runner, thorough: Runner, front: readonly string[]): Runner {
  const [lab, ...names] = front;
  let last = -Infinity;
  return {
    async *run(id, params, signal) {
      const control = new AbortController();
      const own = Object.fromEntries(names.map((name) => [name, params[name]!]));
      const preview = steps(quick.run(lab!, own, AbortSignal.any([signal, control.signal])));
      const pause = performance.now() - last < PAUSE_MS ? PAUSE_MS : 0;
      last = performance.now();
      const log = steps(later(pause, signal, () => thorough.run(id, params, signal)));
      try {
        const { held, ended } = yield* both(preview, log);
        control.abort();
        yield* held;
        while (!ended) {
          const { value, done } = await log.next();
          if (done) return;
          yield value;
        }
      } finally {
        control.abort();
        void preview.return?.();
        void log.return?.();
      }
    },
  };
}

/** The preview, until the log is further; returns what has come of the log. */
async function* both(preview: AsyncIterator<RunEvent>, log: AsyncIterator<RunEvent>) {
  const never = new Promise<never>(() => undefined);
  const over = { value: undefined, done: true as const };
  // How the preview ends, well or not, is for the log to say.
  const first = () => preview.next().then(early, () => early(over));
  const early = (step: IteratorResult<RunEvent>) => ({ step, from: preview });
  const second = () => log.next().then((step) => ({ step, from: log }));
  const held: RunEvent[] = [];
  let [shown, come] = [0, 0];
  let [one, other] = [first(), second()];
  for (;;) {
    const { step, from } = await Promise.race([one, other]);
    if (from === preview) {
      one = step.done || step.value.kind === "end" ? never : first();
      if (step.done || (isEngineEvent(step.value) && step.value.kind !== "started")) continue;
      if (!isEngineEvent(step.value)) shown++;
      yield step.value;
    } else {
      if (step.done) return { held, ended: true };
      if (step.value.kind === "queued") yield step.value;
      else held.push(step.value);
      if (!isEngineEvent(step.value)) come++;
      if (come > shown || step.value.kind === "end") return { held, ended: false };
      other = second();
    }
  }
}

async function* later(ms: number, signal: AbortSignal, run: () => AsyncIterable<RunEvent>) {
  await new Promise((done) => setTimeout(done, ms));
  if (!signal.aborted) yield* run();
}

const steps = (run: AsyncIterable<RunEvent>) => run[Symbol.asyncIterator]();

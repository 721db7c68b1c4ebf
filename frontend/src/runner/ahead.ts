/** Shows the first events of a server run before the server has them: a lab that makes the same ones runs in the
 *  browser at the same time. Once the server's log has passed them it takes their place, whole. */
import { isEngineEvent, type RunEvent, type Runner } from "./types";

/** Runs that follow each other this fast are of one reader typing: the server is asked after a pause. */
const PAUSE_MS = 300;
/** The first pictures come before all else: where the server is the reader's own machine, it would take their time.
 *  So it is asked once they are made, or after this long while Python is still on its way. */
const FIRST_MS = 100;

/** `front` is that lab and the names of its parameters, which the other has, too. */
export function ahead(quick: Runner, thorough: Runner, front: readonly string[]): Runner {
  const [lab, ...names] = front;
  let last = -Infinity;
  return {
    async *run(id, params, signal) {
      const control = new AbortController();
      const own = Object.fromEntries(names.map((name) => [name, params[name]!]));
      const made = Promise.withResolvers<void>();
      const first = quick.run(lab!, own, AbortSignal.any([signal, control.signal]));
      const preview = steps(telling(first, made.resolve));
      const typing = performance.now() - last < PAUSE_MS;
      last = performance.now();
      const turn = typing ? wait(PAUSE_MS) : Promise.race([made.promise, wait(FIRST_MS)]);
      const log = steps(after(turn, signal, () => thorough.run(id, params, signal)));
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
  const nothing = { value: undefined, done: true as const };
  // How the preview ends, well or not, is for the log to say.
  const first = () => preview.next().then(early, () => early(nothing));
  const early = (step: IteratorResult<RunEvent>) => ({ step, from: preview });
  const second = () => log.next().then((step) => ({ step, from: log }));
  const held: RunEvent[] = [];
  let [shown, come] = [0, 0];
  let [one, other] = [first(), second()];
  let over = false;
  /** The server makes nothing of it, having no such machine, say: the preview is all that there will be. */
  async function* remainder() {
    while (!over) {
      const { step } = await one;
      over = step.done || step.value.kind === "end";
      if (!over) yield step.value as RunEvent;
      one = first();
    }
  }
  for (;;) {
    const { step, from } = await Promise.race([one, other]);
    if (from === preview) {
      over = step.done || step.value.kind === "end";
      one = over ? never : first();
      if (step.done || (isEngineEvent(step.value) && step.value.kind !== "started")) continue;
      if (!isEngineEvent(step.value)) shown++;
      yield step.value;
    } else {
      if (step.done) return { held, ended: true };
      if (step.value.kind === "queued") yield step.value;
      else held.push(step.value);
      if (!isEngineEvent(step.value)) come++;
      if (step.value.kind === "end" && come === 0) yield* remainder();
      if (come > shown || step.value.kind === "end") return { held, ended: false };
      other = second();
    }
  }
}

async function* telling(run: AsyncIterable<RunEvent>, over: () => void) {
  try {
    yield* run;
  } finally {
    over();
  }
}

async function* after(turn: Promise<void>, signal: AbortSignal, run: () => AsyncIterable<RunEvent>) {
  await turn;
  if (!signal.aborted) yield* run();
}

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const steps = (run: AsyncIterable<RunEvent>) => run[Symbol.asyncIterator]();

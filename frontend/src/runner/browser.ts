/** Runs a lab in the reader's browser. Newest parameters win: a stale run is dropped between events, and a
 *  worker that does not let go is terminated and replaced by a warm spare. */
import { decode } from "./array";
import { makeWay } from "./foreseen";
import type { Job, Message, Soon } from "./pyodide.worker";
import { provenance } from "./provenance";
import { python } from "./python";
import { remember } from "./remembered";
import type { RunEvent, Runner, Starting } from "./types";
import type { Wish } from "../sw/worker";
import { texts } from "../words";

/** A worker that is still busy with a dropped run after this long gets a spare warmed, then is replaced. */
const SPARE_MS = 250;
const STUCK_MS = 1000;

class Interpreter {
  readonly ready: Promise<Record<string, string>>;
  version: string | undefined;
  private come = 0;
  private all: number | undefined;
  private moved: () => void = () => undefined;
  onmessage: (message: Message) => void = () => undefined;
  private readonly worker = new Worker(new URL("./pyodide.worker.ts", import.meta.url), { type: "module" });

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.type === "ready") {
          this.version = data.versions.pyodide;
          if (this === active) use(this);
          remember(this.version);
          resolve(data.versions);
          keep("python");
        } else if (data.type === "broken") reject(new Error(data.reason));
        else if (data.type === "coming") {
          ({ come: this.come, all: this.all } = data);
          this.moved();
        } else if (data.type === "rehearsed") {
          if (this === active) python.labs.add(data.lab);
        } else if (data.type === "lent") keep("device");
        else if (data.type === "fault") import.meta.hot?.send("lab-fault", data.words);
        else this.onmessage(data);
      };
      this.worker.onerror = (event) => reject(new Error(event.message || texts().runner.python.failed));
    });
    this.ready.catch(() => undefined); // the call that runs a lab awaits it and reports
  }

  /** How much has come, again whenever it is more, until Python is ready; throws if it cannot start. */
  async *starting(): AsyncGenerator<Starting> {
    while (!this.version) {
      yield { kind: "starting", come: this.come, all: this.all };
      await Promise.race([this.ready, new Promise<void>((moved) => (this.moved = moved))]);
    }
  }

  send(job: Job | Soon | "drop"): void {
    this.worker.postMessage(job);
  }

  terminate(): void {
    this.worker.terminate();
  }
}

/** From now on this should work without a network, too. */
function keep(wish: Wish): void {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(wish));
}

let active: Interpreter | undefined;
let spare: Interpreter | undefined;
let count = 0;

/** From now on labs run there. */
function use(interpreter: Interpreter | undefined): Interpreter | undefined {
  if (interpreter !== active) python.labs.clear();
  python.state = !interpreter ? "absent" : interpreter.version ? "ready" : "starting";
  return (active = interpreter);
}

/** Start Python ahead of need, and fetch a lab; returns when Python is ready. Calling it again costs nothing. */
export async function warm(lab: string): Promise<void> {
  const interpreter = active ?? use(new Interpreter())!;
  interpreter.send({ lab });
  await interpreter.ready;
}

/** Whether `event` happens within `ms`. */
const within = (ms: number, event: Promise<void>) =>
  Promise.race([event.then(() => true), new Promise<false>((no) => setTimeout(() => no(false), ms))]);

/** Drop the current run and wait for its end; an interpreter that does not let go is replaced. */
async function release(interpreter: Interpreter, ended: Promise<void>): Promise<void> {
  interpreter.send("drop");
  if (await within(SPARE_MS, ended)) return;
  spare ??= new Interpreter();
  if (await within(STUCK_MS - SPARE_MS, ended)) return;
  interpreter.terminate();
  use(spare);
  spare = undefined;
}

/** One interpreter serves the whole page: a run begins when the one before has ended or was taken away. */
let turn: Promise<void> = Promise.resolve();

async function* run(lab: string, params: object, signal: AbortSignal, target = 0): AsyncGenerator<RunEvent> {
  makeWay();
  const before = turn;
  const { promise, resolve: done } = Promise.withResolvers<void>();
  turn = promise;
  try {
    await before;
    if (signal.aborted) return;
    yield* runNow({ lab, params, target }, signal);
  } finally {
    done();
  }
}

async function* runNow(wish: Omit<Job, "id">, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const interpreter = active ?? use(new Interpreter())!;
  let versions: Record<string, string>;
  try {
    yield* interpreter.starting();
    versions = await interpreter.ready;
  } catch (error) {
    use(undefined); // the next run starts a fresh one
    yield { kind: "end", status: "failed", reason: (error as Error).message, again: true };
    return;
  }
  if (signal.aborted) return;

  const inbox: Message[] = [];
  const ended = Promise.withResolvers<void>();
  let over = false;
  let wake: () => void = () => undefined;
  interpreter.onmessage = (message) => {
    if (message.type === "end") {
      over = true;
      ended.resolve();
    }
    inbox.push(message);
    wake();
  };
  const abort = () => wake();
  signal.addEventListener("abort", abort, { once: true });
  interpreter.send({ id: ++count, ...wish });
  try {
    while (!signal.aborted) {
      const message = inbox.shift();
      if (!message) {
        await new Promise<void>((resolve) => (wake = resolve));
      } else if (message.type === "started") {
        yield { kind: "started", attempt: 1, provenance: provenance(versions, message.lab_version) };
      } else if (message.type === "events") {
        yield* decode<RunEvent[]>(JSON.parse(message.json), message.bytes);
      } else if (message.type === "end") {
        python.labs.add(wish.lab);
        yield { kind: "end", status: message.status, reason: message.reason };
        return;
      }
    }
  } finally {
    signal.removeEventListener("abort", abort);
    if (!over) await release(interpreter, ended.promise);
  }
}

export const browser: Runner = { run };
export { once } from "./once";

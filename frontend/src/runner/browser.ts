/** Runs a lab in the reader's browser. Newest parameters win: a stale run is dropped between events, and a
 *  worker that does not let go is terminated and replaced by a warm spare. */
import { decode } from "./array";
import type { Job, Message } from "./pyodide.worker";
import type { Provenance, RunEvent, Runner } from "./types";

/** A worker that is still busy with a dropped run after this long gets a spare warmed, then is replaced. */
const SPARE_MS = 250;
const STUCK_MS = 1000;

class Interpreter {
  readonly ready: Promise<Record<string, string>>;
  onmessage: (message: Message) => void = () => undefined;
  private readonly worker = new Worker(new URL("./pyodide.worker.ts", import.meta.url), { type: "module" });

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.type === "ready") resolve(data.versions);
        else if (data.type === "broken") reject(new Error(data.reason));
        else this.onmessage(data);
      };
      this.worker.onerror = (event) =>
        reject(new Error(event.message || "Python could not start in this browser."));
    });
    this.ready.catch(() => undefined); // whoever runs a lab awaits it and reports
  }

  send(job: Job | "drop"): void {
    this.worker.postMessage(job);
  }

  terminate(): void {
    this.worker.terminate();
  }
}

let active: Interpreter | undefined;
let spare: Interpreter | undefined;
let busy: Interpreter | undefined;
let count = 0;

/** Start Python ahead of need; returns when it is ready. Calling it again costs nothing. */
export async function warm(): Promise<void> {
  active ??= new Interpreter();
  await active.ready;
}

/** Drop the current run; if the interpreter does not answer, replace it. */
function release(interpreter: Interpreter): void {
  interpreter.send("drop");
  setTimeout(() => {
    if (busy !== interpreter) return;
    spare ??= new Interpreter();
    setTimeout(() => {
      if (busy !== interpreter) return;
      interpreter.terminate();
      interpreter.onmessage({ type: "end", id: -1, status: "cancelled", reason: "" });
      busy = undefined;
      active = spare;
      spare = undefined;
    }, STUCK_MS - SPARE_MS);
  }, SPARE_MS);
}

/** One interpreter serves the whole page, so runs of different figures take turns. */
let turn: Promise<void> = Promise.resolve();

async function* run(lab: string, params: object, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const before = turn;
  const { promise, resolve: done } = Promise.withResolvers<void>();
  turn = promise;
  try {
    await before;
    if (signal.aborted) return;
    yield* runNow(lab, params, signal);
  } finally {
    done();
  }
}

async function* runNow(lab: string, params: object, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const interpreter = (active ??= new Interpreter());
  let versions: Record<string, string>;
  try {
    versions = await interpreter.ready;
  } catch (error) {
    active = undefined; // the next run starts a fresh one
    yield { kind: "end", status: "failed", reason: (error as Error).message };
    return;
  }
  if (signal.aborted) return;

  const id = ++count;
  const inbox: Message[] = [];
  let wake: () => void = () => undefined;
  interpreter.onmessage = (message) => {
    if (message.type === "end") busy = undefined;
    inbox.push(message);
    wake();
  };
  busy = interpreter;
  interpreter.send({ id, lab, params });
  const abort = () => release(interpreter);
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      const message = inbox.shift();
      if (!message) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      if (message.type === "started" && message.id === id) {
        yield { kind: "started", attempt: 1, provenance: provenance(versions, message.lab_version) };
      } else if (message.type === "event" && message.id === id) {
        yield decode<RunEvent>(JSON.parse(message.json), message.buffers);
      } else if (message.type === "end" && (message.id === id || message.id === -1)) {
        yield { kind: "end", status: message.status, reason: message.reason };
        return;
      }
    }
  } finally {
    signal.removeEventListener("abort", abort);
    if (busy === interpreter) release(interpreter);
  }
}

function provenance(versions: Record<string, string>, lab_version: string): Provenance {
  const cores = navigator.hardwareConcurrency;
  const machine = `${browserName()}, ${cores} ${cores === 1 ? "core" : "cores"}, WebAssembly`;
  return {
    where: "browser",
    at: new Date().toISOString().slice(0, 19) + "Z",
    machine,
    versions,
    lab_version,
  };
}

function browserName(): string {
  const agent = navigator.userAgent;
  const found = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(agent);
  return found
    ? `${found[1]!.replace("Version", "Safari").replace("Edg", "Edge")} ${found[2]}`
    : "this browser";
}

export const browser: Runner = { run };

/** A Python interpreter in a Web Worker: the same lab source as on the server, compiled to WebAssembly. */
/// <reference lib="webworker" />
import type { PyodideInterface } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import { Arrival } from "./arrival";
import { breathe } from "./breathe";
import { COMMON, Library, moduleOf } from "./packs";
import { resuming, SNAPSHOT, type CreateModule } from "./snapshot";

export interface Job {
  id: number;
  lab: string;
  params: object;
  /** The place of the event that the reader waits for. */
  target: number;
}

/** A lab that a reader may want to run before long. */
export type Soon = Pick<Job, "lab">;

export type Message =
  | { type: "ready"; versions: Record<string, string> }
  | { type: "broken"; reason: string }
  | { type: "coming"; come: number; all: number }
  /** A lab has run here unasked: from now on it answers at once. */
  | { type: "rehearsed"; lab: string }
  | { type: "started"; id: number; lab_version: string }
  /** A list of events as JSON, and the bytes of their arrays: in the text each is the place where its own begin. */
  | { type: "events"; id: number; json: string; bytes: ArrayBuffer }
  | { type: "fault"; words: string }
  | { type: "lent" }
  | { type: "end"; id: number; status: "ok" | "failed" | "cancelled"; reason: string };

const post = (message: Message, transfer: ArrayBuffer[] = []) => self.postMessage(message, { transfer });

/** Events that come within one frame travel together: waking the page for each costs more than drawing the last. */
const BATCH_MS = 16;

/** A browser compiles what runs often, while it runs: so long a lab is run ahead, and a reader's first run is as fast
 *  as the later ones. */
const REHEARSAL_MS = 400;

let newest: Job | undefined;
let running = false;
let pyodide: PyodideInterface;
/** Python's side of this worker: wasm/labs/worker.py. */
let python: PyProxy & Record<"known" | "start" | "steps" | "step_later" | "versions" | "forget", PyCallable>;

async function boot(): Promise<void> {
  const base = new URL("/pyodide/", self.location.href).href;
  const arrival = new Arrival((come, all) => post({ type: "coming", come, all }));
  const snapshot = fetch(`${base}${SNAPSHOT}`);
  snapshot.catch(() => undefined); // it is awaited below, after what may fail first
  const load = (name: string) => import(/* @vite-ignore */ `${base}${name}`) as Promise<unknown>;
  void library.of(COMMON);
  const [{ loadPyodide, version }, { default: create }] = (await Promise.all([
    load("pyodide.mjs"),
    load("pyodide.asm.mjs"),
  ])) as [
    { loadPyodide: (options: object) => Promise<PyodideInterface>; version: string },
    { default: CreateModule },
  ];
  const memory = arrival.counted(await snapshot).pipeThrough<Uint8Array>(new DecompressionStream("gzip"));
  pyodide = await loadPyodide({ indexURL: base, packageBaseUrl: base, ...resuming(create, memory) });
  arrival.over();
  pyodide.runPython('import sys; sys.path.insert(0, "/labs")');
  await common();
  post({ type: "ready", versions: { ...JSON.parse(python.versions()), pyodide: version } });
}

const newLibrary = () =>
  new Library(async (name) => {
    const answer = await fetch(`/labs/${name}`);
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
    return answer;
  });
let library = newLibrary();
/** Modules whose packs Python has. */
const here = new Set<string>();

async function bring(module: string): Promise<void> {
  if (here.has(module)) return;
  for (const [name, content] of Object.entries(await library.of(module))) {
    const path = `/labs/${name}`;
    pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    pyodide.FS.writeFile(path, content);
  }
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
  here.add(module);
}

async function common(): Promise<void> {
  await bring(COMMON);
  python = pyodide.pyimport("labs.worker") as typeof python;
  if (import.meta.env.DEV) python.report = (words: string) => post({ type: "fault", words });
}

/** In development a lab may have changed since Python started: only the labs are taken anew, not Python. */
async function refresh(): Promise<void> {
  if (!import.meta.env.DEV) return;
  const newest = newLibrary();
  if (JSON.stringify(await newest.index) === JSON.stringify(await library.index)) return;
  library = newest;
  here.clear();
  python.forget();
  await common();
}

/** Lends Python the reader's device, once a lab measures it: others need not load what that takes. */
async function lend(): Promise<void> {
  if (lent) return;
  const { device } = await import("../device/device");
  pyodide.registerJsModule("device", await device(() => newest === executed, breathe));
  lent = true;
  post({ type: "lent" });
}
let lent = false;
let executed: Job | undefined;

/** How many events, their list in JSON, the bytes of their arrays; how the run ended and why, or neither yet. */
type Steps = [count: number, json: string, arrays: PyProxy, status: string, reason: string];
type Answer = PyProxy & { toJs(options: object): Steps };
type Begun = [version: string, on_device: boolean, events: PyProxy];

const begin = (lab: string, params: object): Begun =>
  python.start(lab, JSON.stringify(params)).toJs({ depth: 1 });

function taken(answer: Answer): Steps {
  const steps = answer.toJs({ depth: 1 });
  answer.destroy();
  return steps;
}

async function execute(job: Job): Promise<void> {
  executed = job;
  const wanted = () => newest === job;
  const [version, on_device, events] = begin(job.lab, job.params);
  post({ type: "started", id: job.id, lab_version: version });
  if (on_device) await lend();
  const end = (status: "ok" | "failed" | "cancelled", reason: string) =>
    post({ type: "end", id: job.id, status, reason });
  try {
    let left = job.target + 1; // events up to the one that the reader waits for
    for (;;) {
      await breathe();
      if (!wanted()) return end("cancelled", "");
      const answer = on_device
        ? await python.step_later(events, wanted)
        : python.steps(events, BATCH_MS, left);
      const [count, json, arrays, status, reason] = taken(answer as Answer);
      const bytes = copied(arrays);
      left = Math.max(0, left - count);
      if (count > 0) post({ type: "events", id: job.id, json, bytes }, [bytes]);
      if (status) return end(status as "ok" | "failed" | "cancelled", reason);
    }
  } finally {
    events.destroy();
  }
}

/** Runs it as it is set, over and over, while nobody asks for anything; returns whether nobody did. */
async function rehearse(lab: string): Promise<boolean> {
  const before = newest;
  let until = performance.now() + REHEARSAL_MS;
  const idle = () => !running && newest === before && performance.now() < until;
  while (idle()) {
    const [, on_device, events] = begin(lab, {});
    for (let over = on_device; !over && idle(); await breathe()) {
      const [, , arrays, status] = taken(python.steps(events, BATCH_MS) as Answer);
      arrays.destroy();
      over = status !== "";
      if (status === "failed") until = 0; // its caller is told
    }
    events.destroy();
    if (on_device) break;
  }
  return !running && newest === before;
}

/** Copy bytes out of Python's memory once, into a buffer that the page then owns. */
function copied(bytes: PyProxy): ArrayBuffer {
  const view = (bytes as PyProxy & { getBuffer(): { data: ArrayBufferView; release(): void } }).getBuffer();
  const { buffer, byteOffset, byteLength } = view.data;
  const copy = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  view.release();
  bytes.destroy();
  return copy;
}

/** Of a Python traceback, the line that says what happened. */
const lastLine = (error: unknown) => String(error).trim().split("\n").at(-1);

async function work(): Promise<void> {
  running = true;
  for (let job = newest; job; job = newest === job ? undefined : newest) {
    try {
      await refresh();
      await bring(moduleOf(job.lab));
      await execute(job);
    } catch (error) {
      post({
        type: "end",
        id: job.id,
        status: "failed",
        reason: `The lab could not start (${lastLine(error)}). Reload the page.`,
      });
    }
  }
  running = false;
}

const booted = boot().catch((error: unknown) => {
  post({ type: "broken", reason: `Python could not start in this browser (${String(error)}).` });
  throw error;
});

/** What a lab takes to be imported is spent before a reader waits for it. */
async function importAhead({ lab }: Soon): Promise<void> {
  await booted;
  if (running) return;
  await bring(moduleOf(lab)).catch(() => undefined); // the run that needs it asks again, and says what is wrong
  if (running || !here.has(moduleOf(lab))) return;
  python.known(lab).destroy();
  if (await rehearse(lab).catch(() => false)) post({ type: "rehearsed", lab });
}

self.onmessage = async ({ data }: MessageEvent<Job | Soon | "drop">) => {
  if (data !== "drop") void library.of(moduleOf(data.lab)); // Python is still on its way, perhaps
  if (data !== "drop" && !("id" in data)) return importAhead(data);
  newest = data === "drop" ? undefined : data;
  await booted;
  if (!running && newest) void work();
};

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
}

/** A lab that a reader may want to run before long. */
export type Soon = Pick<Job, "lab">;

/** An event as JSON, its arrays apart: in the text each is a number, the place of its bytes in `buffers`. */
export interface Packed {
  json: string;
  buffers: ArrayBuffer[];
}

export type Message =
  | { type: "ready"; versions: Record<string, string> }
  | { type: "broken"; reason: string }
  | { type: "coming"; come: number; all: number }
  | { type: "started"; id: number; lab_version: string }
  | { type: "events"; id: number; events: Packed[] }
  | { type: "fault"; words: string }
  | { type: "lent" }
  | { type: "end"; id: number; status: "ok" | "failed" | "cancelled"; reason: string };

const post = (message: Message, transfer: ArrayBuffer[] = []) => self.postMessage(message, { transfer });

/** Events that come within one frame travel together: waking the page for each costs more than drawing the last. */
const BATCH_MS = 16;

let newest: Job | undefined;
let running = false;
let pyodide: PyodideInterface;
/** Python's side of this worker: wasm/labs/worker.py. */
let python: PyProxy & Record<"known" | "start" | "step" | "step_later" | "versions" | "forget", PyCallable>;

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

/** What became of a step: an event as JSON, or how the run ended and why; and the arrays of the event. */
type Answer = PyProxy & { toJs(options: object): [string, string, PyProxy] };

async function execute(job: Job): Promise<void> {
  executed = job;
  const wanted = () => newest === job;
  const begun = python.start(job.lab, JSON.stringify(job.params)).toJs({ depth: 1 });
  const [version, on_device, events] = begun as [string, boolean, PyProxy];
  post({ type: "started", id: job.id, lab_version: version });
  if (on_device) await lend();
  let batch: Packed[] = [];
  let posted = performance.now();
  const flush = () => {
    if (batch.length > 0)
      post(
        { type: "events", id: job.id, events: batch },
        batch.flatMap((one) => one.buffers),
      );
    batch = [];
    posted = performance.now();
  };
  try {
    for (;;) {
      await breathe();
      if (!wanted()) return post({ type: "end", id: job.id, status: "cancelled", reason: "" });
      const answer = (on_device ? await python.step_later(events, wanted) : python.step(events)) as Answer;
      const [what, words, arrays] = answer.toJs({ depth: 1 });
      const buffers = take(arrays);
      answer.destroy();
      if (what !== "event") {
        flush();
        return post({
          type: "end",
          id: job.id,
          status: what as "ok" | "failed" | "cancelled",
          reason: words,
        });
      }
      batch.push({ json: words, buffers });
      if (performance.now() - posted > BATCH_MS) flush();
    }
  } finally {
    events.destroy();
  }
}

/** Copy NumPy arrays out of Python's memory once, into buffers that the page then owns. */
function take(arrays: PyProxy): ArrayBuffer[] {
  const list = arrays as unknown as { length: number; get(i: number): PyProxy; destroy(): void };
  const buffers: ArrayBuffer[] = [];
  for (let i = 0; i < list.length; i++) {
    const array = list.get(i) as PyProxy & { getBuffer(): { data: ArrayBufferView; release(): void } };
    const view = array.getBuffer();
    const { buffer, byteOffset, byteLength } = view.data;
    buffers.push(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    view.release();
    array.destroy();
  }
  list.destroy();
  return buffers;
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
  if (!running && here.has(moduleOf(lab))) python.known(lab).destroy();
}

self.onmessage = async ({ data }: MessageEvent<Job | Soon | "drop">) => {
  if (data !== "drop") void library.of(moduleOf(data.lab)); // Python is still on its way, perhaps
  if (data !== "drop" && !("id" in data)) return importAhead(data);
  newest = data === "drop" ? undefined : data;
  await booted;
  if (!running && newest) void work();
};

/** A Python interpreter in a Web Worker: the same lab source as on the server, compiled to WebAssembly. */
/// <reference lib="webworker" />
import type { PyodideInterface } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import { breathe } from "./breathe";
import { COMMON, Library, moduleOf } from "./packs";

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
  | { type: "started"; id: number; lab_version: string }
  | { type: "events"; id: number; events: Packed[] }
  | { type: "fault"; words: string }
  | { type: "lent" }
  | { type: "end"; id: number; status: "ok" | "failed" | "cancelled"; reason: string };

const post = (message: Message, transfer: ArrayBuffer[] = []) => self.postMessage(message, { transfer });

/** Python's side of the worker: find labs, start one, step it, pack an event without copying through JSON. */
const GLUE = `
import dataclasses, functools, importlib, json, platform, sys, traceback, typing
import numpy
from labs import discover
from labs.contract import LabError

@functools.cache
def known(id):
    # one lab alone: a page has few of them, and importing all takes a phone seconds
    lab = discover.describe(importlib.import_module("labs." + id.replace("/", ".")))
    return lab, typing.get_type_hints(lab.params)

def versions():
    return json.dumps({"python": platform.python_version(), "numpy": numpy.__version__, "pyodide": PYODIDE})

def start(lab, params):
    lab, hints = known(lab)
    # JSON from a browser says 3 for 3.0; an event should say what the server's says
    values = {k: float(v) if hints[k] is float else v for k, v in json.loads(params).items()}
    if lab.on_device:
        return lab.version, True, lab.run(lab.params(**values))
    return lab.version, False, events(lab, values)

def events(lab, values):
    yield from lab.run(lab.params(**values))  # even what a run does before its first event happens in a step

def step(events):
    try:
        return told(next(events, None))
    except Exception as error:
        return amiss(error)

async def step_later(events, wanted):
    try:
        return told(await anext(events, None))
    except Exception as error:
        return amiss(error) if wanted() else ("cancelled", "", [])

def told(event):
    arrays = []
    # as contract.pack, but what JSON has as it is never comes by here: of lists of numbers that is nearly all
    def plain(value):
        if dataclasses.is_dataclass(value):
            return {name: getattr(value, name) for name in names(type(value))}
        if isinstance(value, numpy.generic):
            return value.item()
        arrays.append(numpy.ascontiguousarray(value))
        return {"dtype": value.dtype.name, "shape": list(value.shape), "data": len(arrays) - 1}
    if event is None:
        return "ok", "", []
    return "event", json.dumps(event, default=plain, allow_nan=False), arrays

@functools.cache
def names(event):
    return [field.name for field in dataclasses.fields(event)]

def amiss(error):
    if isinstance(error, LabError):
        return "failed", str(error), []
    traceback.print_exception(error)
    return "failed", words(error), []

def words(error):
    return f"The lab stopped with {type(error).__name__}. Reset it, and please report this."
`;

/** Who writes the lab is told where it stopped, in the figure and in the terminal. */
const AUTHORS = `
def words(error):
    ours = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith("/labs/")]
    where = "".join(f"wasm{each.filename.removeprefix('/labs')}:{each.lineno}: " for each in ours[-1:])
    found = f"{where}{type(error).__name__}: {error}"
    report(found)
    return found
`;

const FORGET = `
import importlib, shutil
shutil.rmtree("/labs")
for name in [name for name in sys.modules if name.partition(".")[0] == "labs"]:
    del sys.modules[name]
importlib.invalidate_caches()
`;

/** Events that come within one frame travel together: waking the page for each costs more than drawing the last. */
const BATCH_MS = 16;

let newest: Job | undefined;
let running = false;
let pyodide: PyodideInterface;
let python: Record<(typeof CALLED)[number], PyCallable>;
const CALLED = ["start", "step", "step_later", "versions"] as const;

async function boot(): Promise<void> {
  const base = new URL("/pyodide/", self.location.href).href;
  const { loadPyodide, version } = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as {
    loadPyodide: (options: object) => Promise<PyodideInterface>;
    version: string;
  };
  void library.of(COMMON);
  pyodide = await loadPyodide({ indexURL: base, packageBaseUrl: base, packages: ["numpy"] });
  pyodide.runPython(`import sys; sys.path.insert(0, "/labs"); PYODIDE = "${version}"`);
  await load();
  post({ type: "ready", versions: JSON.parse(python.versions()) });
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

async function load(): Promise<void> {
  await bring(COMMON);
  pyodide.runPython(GLUE);
  if (import.meta.env.DEV) {
    pyodide.globals.set("report", (words: string) => post({ type: "fault", words }));
    pyodide.runPython(AUTHORS);
  }
  const called = CALLED.map((name) => [name, pyodide.globals.get(name)]);
  python = Object.fromEntries(called) as typeof python;
}

/** In development a lab may have changed since Python started: only the labs are taken anew, not Python. */
async function refresh(): Promise<void> {
  if (!import.meta.env.DEV) return;
  const newest = newLibrary();
  if (JSON.stringify(await newest.index) === JSON.stringify(await library.index)) return;
  library = newest;
  here.clear();
  pyodide.runPython(FORGET);
  await load();
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

self.onmessage = async ({ data }: MessageEvent<Job | Soon | "drop">) => {
  if (data !== "drop") void library.of(moduleOf(data.lab)); // Python is still on its way, perhaps
  if (data !== "drop" && !("id" in data)) return;
  newest = data === "drop" ? undefined : data;
  await booted;
  if (!running && newest) void work();
};

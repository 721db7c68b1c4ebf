/** Runs a lab as a reader changed it, in this browser and nowhere else: in a frame without origin or network, in a
 *  worker that can be ended at any time. Only text comes out of it, and none of it is trusted. */
import { decode } from "./array";
import { provenance } from "./provenance";
import { COMMON, lacking, Library, moduleOf, type Files } from "./packs";
import { isEngineEvent, type LabEvent, type Params, type RunEvent, type Runner } from "./types";
import { texts } from "../words";
import { isSentence } from "../words/sentence";

export interface Fault {
  message: string;
  /** Counted from 1. */
  line: number | null;
  column: number | null;
}

/** Who edits is told more than the figure is: what was printed, and where the code went wrong. */
export interface Watch {
  began(): void;
  ready(): void;
  printed(text: string, full: boolean): void;
  fault(fault: Fault): void;
  ended(): void;
}

type Word =
  | { type: "ready"; versions: Record<string, string> }
  | { type: "broken"; reason: string }
  | { type: "event"; json: string }
  | { type: "printed"; text: string; full: boolean }
  | {
      type: "end";
      status: "ok" | "failed" | "cancelled" | "timed_out";
      reason: string;
      fault?: Fault | null;
    };

const PAGE = "/sandbox.html";
const START_MS = 180_000; // a slow machine takes its time
const WALL_MS = 60_000;
/** A run that is no longer wanted may end by itself for so long: a slider's runs do, and Python need not start anew. */
const GRACE_MS = 1000;

interface Handed {
  files: Record<string, Blob>;
  labs: Files;
}

let handed: Promise<Handed> | undefined;
let library: Library | undefined;

async function get(address: string): Promise<Response> {
  const w = texts().runner.sandbox;
  const answer = await fetch(address).catch(() => {
    throw new Error(w.away);
  });
  if (!answer.ok) throw new Error(w.unloaded(address, answer.status));
  return answer;
}

/** What the sandbox starts with. It can fetch nothing itself; most of this the page already has in its cache. */
async function gather(): Promise<Handed> {
  library = new Library((name) => get(`/labs/${name}`));
  const fetched = async (address: string): Promise<[string, Blob]> => [
    address.split("/").at(-1)!,
    await (await get(address)).blob(),
  ];
  const lock = await fetched("/pyodide/pyodide-lock.json");
  const { packages } = JSON.parse(await lock[1].text()) as { packages: { numpy: { file_name: string } } };
  const names = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
  const addresses = [...names, packages.numpy.file_name].map((name) => `/pyodide/${name}`);
  const [labs, ...files] = await Promise.all([library.of(COMMON), ...addresses.map(fetched)]);
  return { files: Object.fromEntries([lock, ...files]), labs };
}

/** One frame with one interpreter, until it is destroyed. */
class Cell {
  readonly ready: Promise<Record<string, string>>;
  hear: (word: Word) => void = () => undefined;
  private readonly frame = document.createElement("iframe");
  private readonly channel = new MessageChannel();
  private readonly strayed = ({ source, data }: MessageEvent<Word>) => {
    if (source === this.frame.contentWindow && data?.type === "broken") this.word(data);
  };
  /** The files of ours that it was handed. */
  private has: Files = {};
  private gone = false;
  private settle = Promise.withResolvers<Record<string, string>>();

  constructor() {
    this.ready = this.settle.promise;
    this.ready.catch(() => undefined); // the call that runs code awaits it and reports
    this.channel.port1.onmessage = ({ data }: MessageEvent<Word>) => this.word(data);
    addEventListener("message", this.strayed);
    setTimeout(() => this.settle.reject(new Error(texts().runner.sandbox.slow)), START_MS);
    Promise.all([(handed ??= gather()), this.open()]).then(
      // "*", as a frame without an origin cannot be named; there is nothing in it that others could not fetch.
      ([given]) => {
        this.has = given.labs;
        this.frame.contentWindow?.postMessage(given, "*", [this.channel.port2]);
      },
      (error: Error) => {
        handed = undefined;
        this.word({ type: "broken", reason: error.message });
      },
    );
  }

  /** Without a network the page comes from the service worker, which serves no frame that is sealed from here. Its
   *  copy is sealed by a header of its own, and one that were not would refuse to run anything: see frame.js. */
  private async open(): Promise<void> {
    const { headers } = await get(PAGE);
    if (!headers.has("X-Sealed")) this.frame.sandbox.add("allow-scripts");
    this.frame.hidden = true;
    this.frame.title = texts().runner.sandbox.name;
    this.frame.src = PAGE;
    if (this.gone) return;
    document.body.append(this.frame);
    await new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
  }

  /** Hands in what the code imports, unless it is there already. Throws if that cannot be fetched. */
  async supply(code: string, lab: string): Promise<void> {
    this.put(await library!.of(moduleOf(lab)));
    for (const pack of lacking(code, this.has, await library!.index)) this.put(await library!.of(pack));
  }

  private put(files: Files): void {
    const labs = Object.fromEntries(Object.entries(files).filter(([path]) => !(path in this.has)));
    this.has = { ...this.has, ...labs };
    this.channel.port1.postMessage({ labs });
  }

  send(job: { code: string; lab: string; params: string }): void {
    this.channel.port1.postMessage(job);
  }

  /** Ends whatever runs in it, also `while True: pass`. */
  destroy(): void {
    this.gone = true;
    this.frame.remove();
    this.channel.port1.close();
    removeEventListener("message", this.strayed);
    this.hear({ type: "end", status: "cancelled", reason: "" });
    this.settle.reject(new Error(texts().runner.sandbox.stopped));
  }

  private word(word: Word): void {
    if (word.type === "ready") return this.settle.resolve(word.versions);
    if (word.type === "broken") this.settle.reject(new Error(word.reason));
    this.hear(word);
  }
}

/** The sandbox of one figure. It keeps its interpreter from run to run until one has to be stopped. */
export class Sandbox {
  private cell: Cell | undefined;

  /** Start Python ahead of need. */
  warm(): void {
    this.cell ??= new Cell();
  }

  /** End the current run at once; the next one starts a fresh interpreter. */
  stop(): void {
    const { cell } = this;
    this.cell = undefined;
    cell?.destroy();
  }

  /** The lab with this code in place of its own. */
  runner(code: string, version: string, watch: Watch): Runner {
    return { run: (lab, params, signal) => this.run(lab, params, signal, code, version, watch) };
  }

  private async *run(
    lab: string,
    params: Params,
    signal: AbortSignal,
    code: string,
    version: string,
    watch: Watch,
  ): AsyncGenerator<RunEvent> {
    watch.began();
    const cell = (this.cell ??= new Cell());
    const inbox: Word[] = [];
    const over = Promise.withResolvers<true>();
    let wake: () => void = () => undefined;
    cell.hear = (word) => {
      if (word.type === "end" || word.type === "broken") over.resolve(true);
      inbox.push(word);
      wake();
    };
    signal.addEventListener("abort", () => wake(), { once: true });
    let wall: ReturnType<typeof setTimeout> | undefined;
    let sent = false;
    try {
      const text = [code, ...Object.values(params).filter((value) => typeof value === "string")].join("\n");
      const started = cell.ready.then(async (versions) => (await cell.supply(text, lab), versions));
      const versions = await started.catch((error: Error) => error);
      if (versions instanceof Error) {
        if (this.cell !== cell) yield { kind: "end", status: "cancelled", reason: "" };
        else yield this.failed(texts().runner.sandbox.failed(versions.message));
        return;
      }
      if (signal.aborted) return;
      watch.ready();
      const where = { ...provenance(versions, version), edited: true };
      yield { kind: "started", attempt: 1, provenance: where };
      cell.send({ code, lab, params: JSON.stringify(params) });
      sent = true;
      wall = setTimeout(
        () => cell.hear({ type: "end", status: "timed_out", reason: texts().runner.sandbox.long }),
        WALL_MS,
      );
      while (!signal.aborted) {
        const word = inbox.shift();
        if (!word) {
          await new Promise<void>((resolve) => (wake = resolve));
        } else if (word.type === "event") yield read(word.json);
        else if (word.type === "printed") watch.printed(word.text, word.full);
        else if (word.type === "broken") return yield this.failed(texts().runner.sandbox.gaveUp(word.reason));
        else if (word.type === "end") {
          if (word.fault) watch.fault(word.fault);
          if (word.status === "timed_out") this.stop();
          return yield { kind: "end", status: word.status, reason: word.reason };
        }
      }
    } finally {
      clearTimeout(wall);
      const late = new Promise<false>((no) => setTimeout(() => no(false), GRACE_MS));
      if (sent && this.cell === cell && !(await Promise.race([over.promise, late]))) this.stop();
      watch.ended();
    }
  }

  private failed(reason: string): RunEvent {
    this.stop();
    return { kind: "end", status: "failed", reason, again: true };
  }
}

/** An event of foreign code may be of any shape, but never one of those in which the engine speaks. */
function read(json: string): LabEvent {
  const event = decode<LabEvent>(JSON.parse(json));
  if (typeof event.kind !== "string" || !isSentence(event.text) || isEngineEvent(event))
    throw new Error(texts().runner.sandbox.event);
  return event;
}

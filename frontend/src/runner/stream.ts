/** The page's event streams, which bring the logs of its runs. They resume where they broke off, across lost
 *  connections, proxies that answer 502, and servers that restart. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { decodeWithBlobs } from "./array";
import type { End, RunEvent } from "./types";
import { texts } from "../words";

/** A server that has been away for this long is given up. */
const PATIENCE_MS = 60_000;
const RETRY_MS = { first: 100, last: 1000 };

/** Streams at once: browsers open six connections at most to an HTTP/1.1 origin, and a page has more to ask. */
const MOST = 2;

interface Reader {
  run: string;
  /** What carries its run. */
  stream: AbortController;
  /** Number of the newest event that has come; the server sends what is after it. */
  after: number;
  ended: boolean;
  inbox: RunEvent[];
  wake: () => void;
}

const readers = new Set<Reader>();

export const failed = (reason: string): End => ({ kind: "end", status: "failed", reason, again: true });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The events of a run, from the first to its end, each exactly once. */
export async function* follow(run: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const reader: Reader = { run, stream: connect(), after: 0, ended: false, inbox: [], wake: () => undefined };
  readers.add(reader);
  void listen(reader.stream);
  signal.addEventListener("abort", () => reader.wake(), { once: true });
  try {
    while (!signal.aborted) {
      const event = reader.inbox.shift();
      if (!event) {
        await new Promise<void>((resolve) => (reader.wake = resolve));
        continue;
      }
      yield event;
      if (event.kind === "end") return;
    }
  } finally {
    readers.delete(reader);
    if (carried(reader.stream).length === 0) reader.stream.abort();
  }
}

const open = () => [...readers].filter(({ ended }) => !ended);
const carried = (by: AbortController) => open().filter(({ stream }) => stream === by);

function deliver(reader: Reader, event: RunEvent): void {
  reader.ended ||= event.kind === "end";
  reader.inbox.push(event);
  reader.wake();
}

/** A stream carries the runs that it was opened with. One more run gets its own; if there were too many, that takes
 *  over the runs of all others. */
function connect(): AbortController {
  const stream = new AbortController();
  const streams = new Set(open().map((reader) => reader.stream));
  if (streams.size < MOST) return stream;
  for (const reader of open()) reader.stream = stream;
  for (const other of streams) other.abort();
  return stream;
}

async function listen(stream: AbortController): Promise<void> {
  const { signal } = stream;
  let lost: number | undefined;
  let wait = RETRY_MS.first;
  while (!signal.aborted && carried(stream).length > 0) {
    try {
      const answer = await fetch(`/api/events?runs=${cursors(stream).join(",")}`, { signal });
      if (answer.status === 404) return await sortOut(stream);
      if (answer.ok && answer.body) {
        for await (const seen of messages(answer.body, stream)) {
          if (seen) [lost, wait] = [undefined, RETRY_MS.first];
        }
        if (lost === undefined) continue; // it has lived its time, or all has been said
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TypeError)) throw error; // a TypeError from fetch or its stream is the network's
    }
    lost ??= performance.now();
    if (performance.now() - lost > PATIENCE_MS) {
      for (const reader of carried(stream)) deliver(reader, failed(texts().runner.lost));
    }
    await pause(wait);
    wait = Math.min(2 * wait, RETRY_MS.last);
  }
}

/** What to ask of the server: each run once, after the last event that all its readers have. */
function cursors(stream: AbortController): string[] {
  const after = new Map<string, number>();
  for (const reader of carried(stream)) {
    after.set(reader.run, Math.min(reader.after, after.get(reader.run) ?? Infinity));
  }
  return [...after].map(([run, number]) => `${run}:${number}`);
}

/** Deliver what a stream brings; yields after each message. */
async function* messages(body: ReadableStream<Uint8Array>, stream: AbortController): AsyncGenerator<boolean> {
  const parsed = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let next = await parsed.read(); !next.done; next = await parsed.read()) {
    const [run, number] = (next.value.id ?? "").split(":");
    const id = Number(number);
    // Delivery is at least once; the log's numbers make it exactly once.
    const waiting = () => carried(stream).filter((reader) => reader.run === run && id > reader.after);
    if (waiting().length > 0) {
      const event = await decodeWithBlobs<RunEvent>(JSON.parse(next.value.data), stream.signal);
      for (const reader of waiting()) {
        reader.after = id;
        deliver(reader, event);
      }
    }
    yield true;
  }
}

/** The server no longer has one of the runs; it does not say which for all, so each is asked for. */
async function sortOut(stream: AbortController): Promise<void> {
  for (const reader of carried(stream)) {
    const answer = await fetch(`/api/runs/${reader.run}`, { signal: stream.signal }).catch(() => undefined);
    if (answer?.status === 404) deliver(reader, failed(texts().runner.gone));
  }
  if (!stream.signal.aborted) await listen(stream);
}

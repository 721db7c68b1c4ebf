/** One event stream for all runs of a page: browsers open six connections at most to an HTTP/1.1 origin. It resumes
 *  where it broke off, across lost connections, proxies that answer 502, and servers that restart. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { decodeWithBlobs } from "./array";
import type { End, RunEvent } from "./types";
import { texts } from "../words";

/** A server that has been away for this long is given up. */
const PATIENCE_MS = 60_000;
const RETRY_MS = { first: 100, last: 1000 };

interface Reader {
  /** Number of the newest event that has come; the server sends what is after it. */
  after: number;
  ended: boolean;
  inbox: RunEvent[];
  wake: () => void;
}

const readers = new Map<string, Reader>();
let connection: AbortController | undefined;

export const failed = (reason: string): End => ({ kind: "end", status: "failed", reason });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The events of a run, from the first to its end, each exactly once. */
export async function* follow(run: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const reader: Reader = { after: 0, ended: false, inbox: [], wake: () => undefined };
  readers.set(run, reader);
  reconnect();
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
    readers.delete(run);
    if (open().length === 0) connection?.abort();
  }
}

const open = () => [...readers].filter(([, reader]) => !reader.ended);

function deliver(reader: Reader, event: RunEvent): void {
  reader.ended ||= event.kind === "end";
  reader.inbox.push(event);
  reader.wake();
}

/** A stream carries the runs that it was opened with, so one more run means a new stream. */
function reconnect(): void {
  connection?.abort();
  connection = new AbortController();
  void listen(connection.signal);
}

async function listen(signal: AbortSignal): Promise<void> {
  let lost: number | undefined;
  let wait = RETRY_MS.first;
  while (!signal.aborted && open().length > 0) {
    try {
      const runs = open().map(([run, { after }]) => `${run}:${after}`);
      const answer = await fetch(`/api/events?runs=${runs.join(",")}`, { signal });
      if (answer.status === 404) return await sortOut(signal);
      if (answer.ok && answer.body) {
        for await (const seen of messages(answer.body, signal)) {
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
      for (const [, reader] of open()) {
        deliver(reader, failed(texts().runner.lost));
      }
    }
    await pause(wait);
    wait = Math.min(2 * wait, RETRY_MS.last);
  }
}

/** Deliver what a stream brings; yields after each message. */
async function* messages(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<boolean> {
  const stream = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let next = await stream.read(); !next.done; next = await stream.read()) {
    const [run, number] = (next.value.id ?? "").split(":");
    const reader = readers.get(run!);
    const id = Number(number);
    if (reader && id > reader.after) {
      // Delivery is at least once; the log's numbers make it exactly once.
      const event = await decodeWithBlobs<RunEvent>(JSON.parse(next.value.data), signal);
      reader.after = id;
      deliver(reader, event);
    }
    yield true;
  }
}

/** The server no longer has one of the runs; it does not say which for all, so each is asked for. */
async function sortOut(signal: AbortSignal): Promise<void> {
  for (const [run, reader] of open()) {
    const answer = await fetch(`/api/runs/${run}`, { signal }).catch(() => undefined);
    if (answer?.status === 404) deliver(reader, failed(texts().runner.gone));
  }
  if (!signal.aborted && open().length > 0) await listen(signal);
}

/** Runs a lab on the server: POST starts it, Server-Sent Events bring its log, a lost connection resumes. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { decodeWithBlobs } from "./array";
import type { End, RunEvent, Runner } from "./types";

const RETRIES = 8;
/** How long a cancelled run waits for the one that supersedes it before it is cancelled by itself. */
const SUPERSEDE_MS = 40;

interface Accepted {
  id: string;
  events: string;
}

const failed = (reason: string): End => ({ kind: "end", status: "failed", reason });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One per figure, so that a new run names the one it replaces and the server stops that in the same call. */
export function server(): Runner {
  let live: string | undefined;

  async function* run(lab: string, params: object, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const supersedes = live;
    live = undefined;
    let answer: Response;
    try {
      answer = await fetch("/api/runs", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ lab, params, ...(supersedes && { supersedes }) }),
      });
    } catch {
      yield failed("The server cannot be reached. Your settings are kept; try again when it is back.");
      return;
    }
    if (!answer.ok) {
      yield failed(await refusal(answer));
      return;
    }
    const accepted = (await answer.json()) as Accepted;
    live = accepted.id;
    signal.addEventListener("abort", () => void cancelLater(accepted.id), { once: true });
    if (signal.aborted) void cancelLater(accepted.id);
    for await (const event of follow(accepted.events, signal)) {
      if (event.kind === "end" && live === accepted.id) live = undefined;
      yield event;
    }
  }

  async function cancelLater(id: string): Promise<void> {
    await pause(SUPERSEDE_MS);
    if (live !== id) return;
    live = undefined;
    await fetch(`/api/runs/${id}`, { method: "DELETE", keepalive: true }).catch(() => undefined);
  }

  return { run };
}

/** The events of a run, from the first to its end, across lost connections and server restarts. */
async function* follow(url: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
  let after = 0;
  for (let failures = 0; failures < RETRIES && !signal.aborted; failures++) {
    try {
      const answer = await fetch(`${url}?after=${after}`, {
        signal,
        headers: { Accept: "text/event-stream" },
      });
      if (answer.status === 404) {
        yield failed("The server no longer has this run. Run it again.");
        return;
      }
      if (answer.status === 204) return;
      if (answer.ok && answer.body) {
        const messages = answer.body
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream())
          .getReader();
        for (let next = await messages.read(); !next.done; next = await messages.read()) {
          const id = Number(next.value.id);
          if (!(id > after)) continue; // delivery is at least once; the log's ids make it exactly once
          after = id;
          failures = 0;
          const event = await decodeWithBlobs<RunEvent>(JSON.parse(next.value.data), signal);
          yield event;
          if (event.kind === "end") return;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TypeError)) throw error; // a TypeError from fetch is the network's
    }
    await pause(Math.min(100 * 2 ** failures, 3000));
  }
  if (!signal.aborted)
    yield failed("The connection to the server was lost and did not come back. Run it again.");
}

async function refusal(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => ({}))) as { detail?: string | { message: string }[] };
  const words = Array.isArray(body.detail) ? body.detail.map((one) => one.message).join("; ") : body.detail;
  if (answer.status === 429) {
    const wait = answer.headers.get("Retry-After");
    return `The server is busy${wait ? `; try again in ${wait} s` : ""}. Your settings are kept.`;
  }
  return words ? `${words}.` : `The server answered ${answer.status}.`;
}

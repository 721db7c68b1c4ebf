/** Runs a lab on the server: POST starts it, the page's event stream brings its log. */
import { failed, follow } from "./stream";
import type { RunEvent, Runner } from "./types";
import { texts } from "../words";

/** Seconds that a busy server is asked again within, as it says itself when; then the reader is told. */
const PATIENCE = 60;

/** How long a cancelled run waits for the one that supersedes it before it is cancelled by itself. */
const SUPERSEDE_MS = 40;

interface Accepted {
  id: string;
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener("abort", resolve, { once: true });
  });

/** One per figure, so that a new run names the one it replaces and the server stops that in the same call. */
export function server(): Runner {
  let live: Accepted | undefined;

  async function* run(lab: string, params: object, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const supersedes = live?.id;
    live = undefined;
    const begun = performance.now();
    let replaces = supersedes;
    const ask = () =>
      fetch("/api/runs", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ lab, params, ...(replaces && { supersedes: replaces }) }),
      });
    let answer: Response;
    try {
      answer = await ask();
      while (answer.status === 429) {
        const { code } = (await answer.clone().json()) as { code?: string };
        if (code === "queue_full") replaces = undefined; // it has gone to make room, and only once
        const wait = Number(answer.headers.get("Retry-After")) || 1;
        if ((performance.now() - begun) / 1000 + wait > PATIENCE) break;
        yield { kind: "queued", position: null, wait };
        await pause(1000 * wait, signal);
        if (signal.aborted) return;
        answer = await ask();
      }
    } catch {
      yield failed(texts().runner.unreachable);
      return;
    }
    if (!answer.ok) {
      yield { ...failed(await refusal(answer)), again: answer.status !== 422 };
      return;
    }
    const accepted = (await answer.json()) as Accepted;
    live = accepted;
    signal.addEventListener("abort", () => void cancelLater(accepted), { once: true });
    if (signal.aborted) void cancelLater(accepted);
    for await (const event of follow(accepted.id, signal)) {
      if (event.kind === "end" && live === accepted) live = undefined;
      yield event;
    }
  }

  /** Not by id: who asks for the same again is given the same run, and must not have it cancelled. */
  async function cancelLater(asked: Accepted): Promise<void> {
    await pause(SUPERSEDE_MS);
    if (live !== asked) return;
    live = undefined;
    await fetch(`/api/runs/${asked.id}`, { method: "DELETE", keepalive: true }).catch(() => undefined);
  }

  return { run };
}

async function refusal(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => ({}))) as { detail?: string | { message: string }[] };
  const words = Array.isArray(body.detail) ? body.detail.map((one) => one.message).join("; ") : body.detail;
  if (answer.status === 429) {
    return texts().runner.busy(answer.headers.get("Retry-After"));
  }
  return words ? words.replace(/\.?$/, ".") : texts().runner.answered(answer.status);
}

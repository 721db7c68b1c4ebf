/** How much of Python has come, seen from the worker that waits for it. */
import type { Download } from "./download";

/** As often as somebody may want to read it. */
const PAUSE_MS = 100;

export class Arrival {
  private sizes: Record<string, number> = {};
  private all = 0;
  /** Bytes by address: of whole files, and of the one that is counted while it comes. */
  private readonly come: Record<string, number> = {};
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly seen = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) this.note(new URL(name).pathname);
  });

  /** `say` is told the bytes that have come, and of how many, whenever there are more. */
  constructor(say: (come: number, all: number) => void) {
    let last = -1;
    this.seen.observe({ type: "resource", buffered: true });
    this.timer = setInterval(() => {
      const come = Object.values(this.come).reduce((sum, bytes) => sum + bytes, 0);
      if (this.all > 0 && come !== last) say((last = come), this.all);
    }, PAUSE_MS);
    fetch("/python.json")
      .then((answer) => answer.json() as Promise<Download>)
      .then(({ bytes, files }) => {
        this.all = bytes;
        this.sizes = files;
        for (const { name } of performance.getEntriesByType("resource")) this.note(new URL(name).pathname);
      })
      .catch(() => undefined); // then nobody knows, and Python starts all the same
  }

  /** The body of an answer, each part counted as it comes. */
  counted({ ok, status, url, body }: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (!ok || !body) throw new Error(`${url} answered ${status}`);
    const path = new URL(url).pathname;
    const count = (part: Uint8Array) => (this.come[path] = (this.come[path] ?? 0) + part.length);
    return body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(part, out) {
          count(part);
          out.enqueue(part);
        },
      }),
    );
  }

  over(): void {
    clearInterval(this.timer);
    this.seen.disconnect();
  }

  private note(path: string): void {
    const size = this.sizes[path];
    if (size) this.come[path] = size;
  }
}

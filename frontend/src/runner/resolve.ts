/** The one place that decides where a lab runs. */
import type { Range } from "./foreseen";
import { savingData, whenRead } from "./idle";
import { inBrowser } from "./packs";
import { remembered } from "./remembered";
import type { RunEvent, Runner } from "./types";
import { texts } from "../words";

export type Place = "browser" | "cpu" | "cuda";

/** What a reader can choose: a place, or the run that was recorded at one. */
export const CHOICES = ["browser", "cpu", "cuda", "recorded"] as const;
export type Choice = (typeof CHOICES)[number];

/** Where a lab runs unless the reader says otherwise: light ones in the reader's browser, the others on the server. */
export const home = (runsOn: readonly Place[]): Place =>
  runsOn.includes("browser") ? "browser" : (runsOn[0] ?? "cpu");

/** Whether a lab measures the reader's own device, so that it runs in their browser and nowhere else. */
export const onDevice = (runsOn: readonly Place[]): boolean => runsOn.join() === "browser";

/** A page is read without what runs labs: it comes when a run is first asked for. */
function later(load: () => Promise<Runner>, missing: () => string): Runner {
  let runner: Runner | undefined;
  const ready = async () => (runner ??= await load());
  return {
    async *run(...asked): AsyncGenerator<RunEvent> {
      try {
        await ready();
      } catch {
        yield { kind: "end", status: "failed", reason: missing(), again: true };
        return;
      }
      yield* runner!.run(...asked);
    },
    nears(...asked) {
      void ready().then(
        (runner) => runner.nears?.(...asked),
        () => undefined, // who asks for a run is told
      );
    },
  };
}

/** Python in the reader's browser; it makes no run twice of a lab whose parameters it knows. */
const browser = (properties?: Record<string, Range>) =>
  later(
    async () => {
      const { browser, once } = await import("./browser");
      return properties ? once(browser, properties) : browser;
    },
    () => texts().runner.python.failed,
  );

interface Known {
  front?: readonly string[];
  measures: boolean;
  params: { properties: Record<string, Range> };
}

/** The runners of one figure; which of the server's devices a run takes, the server sees from lab and parameters.
 *  What is measured is made anew each time, and so is what its author is changing. */
export function runners(lab?: Known): Record<Place, Runner> {
  const server = later(
    async () => (await import("./remote")).remote(lab?.front),
    () => texts().runner.unreachable,
  );
  const remembers = lab !== undefined && !lab.measures && !import.meta.env.DEV;
  return { browser: browser(remembers ? lab.params.properties : undefined), cpu: server, cuda: server };
}

/** Prepare for the first run: when the browser has nothing better to do, or at once when a reader nears the figure.
 *  What an earlier visit has left costs no connection. */
export function prepare(
  lab: { id: string; runs_on: readonly Place[]; front?: readonly string[] },
  host: HTMLElement,
): void {
  const first = inBrowser(lab);
  if (!first || (savingData() && remembered() === null)) return;
  const start = () => void import("./browser").then(({ warm }) => warm(first)).catch(() => undefined);
  for (const sign of ["pointerenter", "focusin"])
    host.addEventListener(sign, start, { once: true, passive: true });
  whenRead(start);
}

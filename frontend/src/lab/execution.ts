/** One execution of a lab: reads what a runner yields, and says when there is a picture worth showing. */
import type { End, LabEvent, Provenance, Queued, RunEvent, Starting } from "../runner/types";
import { texts } from "../words";

/** A run shorter than this is not torn down for newer parameters, so that a moving slider always paints. */
const PATIENCE_MS = 120;

/** Once the picture is there, what follows it only makes the timeline longer: a frame's worth of it at a time, the first
 *  when the picture has been painted. */
const FRAME_MS = 16;

export interface Watcher {
  /** Whether newer parameters wait for this execution to be over. */
  overtaken(): boolean;
  queued(place: Queued): void;
  starting(arrival: Starting): void;
  running(): void;
  /** All that came so far; with how the run ended once it has. */
  show(events: readonly LabEvent[], provenance: Provenance | undefined, end?: End): void;
}

/** What went wrong, in words for the reader. */
export interface Problem {
  words: string;
  /** Whether the same run may end well another time; a lab that does not take what was typed never will. */
  again: boolean;
}

const rest = () => new Promise((done) => setTimeout(done, FRAME_MS));

/** Reads the run to its end, or until it is aborted or overtaken. The reader looks at the picture `target`. */
export async function execute(
  coming: AsyncIterable<RunEvent>,
  control: AbortController,
  target: number,
  watcher: Watcher,
): Promise<Problem | undefined> {
  const begun = performance.now();
  const hurry = setInterval(() => watcher.overtaken() && control.abort(), PATIENCE_MS);
  let events: LabEvent[] = [];
  let provenance: Provenance | undefined;
  let ended = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let shown = -Infinity;
  const show = (end?: End) => {
    clearTimeout(soon);
    soon = undefined;
    shown = performance.now();
    if (events.length > 0 && !control.signal.aborted) watcher.show(events.slice(), provenance, end);
  };

  try {
    for await (const event of coming) {
      if (control.signal.aborted) break;
      if (event.kind === "queued") watcher.queued(event as Queued);
      else if (event.kind === "starting") watcher.starting(event as Starting);
      else if (event.kind === "started") {
        provenance = (event as { provenance: Provenance }).provenance;
        events = []; // a second attempt starts over
        watcher.running();
      } else if (event.kind === "end") {
        const end = event as End;
        ended = true;
        if (performance.now() - shown < FRAME_MS && !watcher.overtaken()) await rest();
        show(end);
        if (end.status !== "ok" && end.status !== "cancelled")
          return { words: end.reason, again: end.again ?? end.status === "timed_out" };
      } else {
        events.push(event as LabEvent);
        // A short run is shown once it has the step that the reader looks at, with all that has come by then; a long one
        // as it grows.
        if (events.length === target + 1) {
          clearTimeout(soon);
          soon = setTimeout(show);
        } else if (events.length > target || performance.now() - begun > PATIENCE_MS)
          soon ??= setTimeout(show, FRAME_MS);
        if (watcher.overtaken() && events.length > target) {
          if (soon) show(); // a picture that has come is painted, however fast the next one is asked for
          break;
        }
      }
    }
    return undefined;
  } catch (error) {
    show(); // what came before
    return { words: texts().figure.wrong((error as Error).message), again: true };
  } finally {
    clearInterval(hurry);
    clearTimeout(soon);
    if (!ended) control.abort();
  }
}

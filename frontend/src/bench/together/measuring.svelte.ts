/** Runs on several devices at once: what each has come to so far, in any order. */
import bench from "../../generated/speed/bench/lab.json";
import device from "../../generated/speed/matmul_device/lab.json";
import { offer, type Offer } from "../../runner/offers";
import { runners, type Place } from "../../runner/resolve";
import type { LabEvent, Params, Provenance } from "../../runner/types";
import { entryOf, type Entry } from "../entries";

export const PLACES = ["cpu", "cuda", "browser"] as const satisfies readonly Place[];
const LABS = { cpu: bench, cuda: bench, browser: device };

const defaultsOf = ({ params }: { params: { properties: Record<string, { default?: unknown }> } }): Params =>
  Object.fromEntries(
    Object.entries(params.properties).map(([name, field]) => [name, field.default]),
  ) as Params;

export interface State {
  /** What it does just now, or why it stopped; a key of the words. */
  state: "waiting" | "starting" | "running" | "done" | "failed" | "stopped";
  /** Runs before it in line, or why it failed. */
  more?: string;
  entry?: Entry | undefined;
}

export const offers = async (): Promise<Record<Place, Offer>> =>
  Object.fromEntries(
    await Promise.all(
      PLACES.map(async (place) => [place, await offer(place, LABS[place].runs_on as Place[])]),
    ),
  ) as Record<Place, Offer>;

/** The runs that a place takes for these sizes: the browser's lab measures one at a time. */
function runsOf(place: Place, sizes: number[]): { lab: string; params: Params }[] {
  const lab = LABS[place];
  const params = defaultsOf(lab);
  if (place === "browser") return sizes.map((n) => ({ lab: lab.id, params: { ...params, n } }));
  return [{ lab: lab.id, params: { ...params, sizes: sizes.join(", "), device: place } }];
}

export class Measuring {
  states = $state.raw<Partial<Record<Place, State>>>({});
  readonly entries = $derived(PLACES.flatMap((place) => this.states[place]?.entry ?? []));
  readonly busy = $derived(
    PLACES.some((place) => ["waiting", "starting", "running"].includes(this.states[place]?.state ?? "done")),
  );
  private control = new AbortController();

  start(places: Place[], sizes: number[]): Promise<unknown> {
    this.stop();
    this.control = new AbortController();
    this.states = {};
    const { signal } = this.control;
    return Promise.all(places.map((place) => this.measure(place, sizes, signal)));
  }

  stop(): void {
    this.control.abort();
    for (const place of PLACES)
      if (["waiting", "starting", "running"].includes(this.states[place]?.state ?? "done"))
        this.tell(place, { state: "stopped" });
  }

  private tell(place: Place, state: Partial<State>): void {
    this.states = { ...this.states, [place]: { ...this.states[place]!, more: "", ...state } };
  }

  private async measure(place: Place, sizes: number[], signal: AbortSignal): Promise<void> {
    this.tell(place, { state: "waiting" });
    const runner = runners()[place]; // its own: a run names the one that it replaces
    let before: Entry["rows"] = [];
    for (const { lab, params } of runsOf(place, sizes)) {
      let provenance: Provenance | undefined;
      for await (const event of runner.run(lab, params, signal)) {
        if (signal.aborted) return;
        if (event.kind === "queued")
          this.tell(place, {
            state: "waiting",
            more: String((event as { position: number }).position ?? ""),
          });
        else if (event.kind === "starting") this.tell(place, { state: "starting" });
        else if (event.kind === "started")
          ({ provenance } = event as { provenance: Provenance } & typeof event);
        else if (event.kind === "end") {
          const { status, reason } = event as { status: string; reason: string } & typeof event;
          if (status !== "ok") return this.tell(place, { state: "failed", more: reason });
        } else if (provenance) {
          const origin = place === "browser" ? "browser" : "server";
          const found = entryOf(origin, lab, `now/${place}`, params, provenance, event as LabEvent);
          const entry = found ? { ...found, rows: [...before, ...found.rows] } : this.states[place]?.entry;
          this.tell(place, { state: "running", entry });
        }
      }
      before = this.states[place]?.entry?.rows ?? [];
    }
    this.tell(place, { state: "done" });
  }
}

/** The state of one figure: parameters, the log of the current run, and the step that is shown. */
import { fetchRecording } from "../runner/recorded";
import { resolve } from "../runner/resolve";
import {
  isEngineEvent,
  type LabEvent,
  type Params,
  type Provenance,
  type Runner,
  type Value,
} from "../runner/types";
import type { Lab } from "./manifest";
import { longestOf, ticksOf, type Tick } from "./ticks";

export type Status = "idle" | "queued" | "running";

/** What the build knows of the recorded run and puts into the page, so that it is complete without a script. */
export interface FirstPicture {
  recording: string;
  params: Params;
  /** Index of `event` in the recorded run. */
  index: number;
  count: number;
  event: LabEvent;
  /** The sentences of the steps beside it. */
  before: string | undefined;
  after: string | undefined;
  longest: string;
  ticks: Tick[];
  provenance: Provenance;
}

/** A run shorter than this is not torn down for newer parameters, so that a moving slider always paints. */
const PATIENCE_MS = 120;

export class Run {
  params = $state.raw<Params>({});
  events = $state.raw<readonly LabEvent[]>([]);
  /** Index of the shown event. */
  step = $state(0);
  /** Events of the whole run; more than `events` holds while only the first picture of a recording is here. */
  count = $state(0);
  status = $state<Status>("idle");
  position = $state(0);
  provenance = $state.raw<Provenance>()!;
  error = $state("");
  /** Counts pictures that reached the page; tests and the benchmark wait for it. */
  serial = $state(0);
  /** Parameters that nobody here can change. */
  fixed = $state.raw<readonly string[]>([]);
  /** Of the events that are here; before the recording is loaded, what the build found in it. */
  readonly ticks = $derived.by(() => (this.events.length > 0 ? ticksOf(this.events) : this.first.ticks));
  readonly longest = $derived.by(() => {
    const [recorded, here] = [this.first.longest, longestOf(this.events)];
    return here.length > recorded.length ? here : recorded;
  });

  private readonly lab: Lab;
  private readonly first: FirstPicture;
  private readonly live: Runner;
  private shown = $state.raw<LabEvent>()!;
  /** The step that the reader chose; who chose the last one follows to the newest picture. */
  private chosen = 0;
  private following = true;
  /** Events of the last run that was seen whole; one that was cut short says nothing of how long a run is. */
  private whole = 0;
  private wanted: Params | undefined;
  private driving = false;
  private current: AbortController | undefined;

  constructor(lab: Lab, first: FirstPicture) {
    this.lab = lab;
    this.first = first;
    this.live = resolve(lab.runs_on, true);
    this.restore();
  }

  /** The event that the figure draws. Before the recording is loaded it is the one that came with the page. */
  get event(): LabEvent {
    return this.events[this.step] ?? this.shown;
  }

  /** The sentence of the step before or after the shown one; undefined beyond the ends. */
  beside(by: -1 | 1): string | undefined {
    if (this.events.length > 0) return this.events[this.step + by]?.text;
    return by < 0 ? this.first.before : this.first.after;
  }

  get pristine(): boolean {
    return this.changed.length === 0 && this.step === this.first.index;
  }

  /** True where nothing but the random seed, and perhaps the step, is other than recorded. */
  get reseeded(): boolean {
    return this.changed.join() === "seed";
  }

  private get changed(): string[] {
    return Object.keys(this.first.params).filter((name) => this.params[name] !== this.first.params[name]);
  }

  get recorded(): boolean {
    return this.provenance.where === "recorded";
  }

  /** Back to the recorded run with its parameters. */
  restore(): void {
    this.stop();
    this.params = this.first.params;
    this.events = [];
    this.shown = this.first.event;
    this.step = this.chosen = this.first.index;
    this.count = this.whole = this.first.count;
    this.following = this.step === this.count - 1;
    this.provenance = this.first.provenance;
    this.error = "";
  }

  /** The settings as recorded, all but the seed: a seed is rolled and taken back on purpose, never in passing. */
  reset(): void {
    const { seed } = this.params;
    const whole = this.reseeded || seed === this.first.params.seed;
    if (whole && this.fixed.length === 0) return this.restore();
    this.chosen = this.first.index;
    this.following = this.chosen === this.first.count - 1;
    this.set(whole ? this.first.params : { ...this.first.params, seed: seed! });
  }

  /** Change parameters; the figure goes live. */
  set(change: Record<string, Value>): void {
    const free = Object.entries(change).filter(([name]) => !this.fixed.includes(name));
    if (free.length === 0) return;
    this.params = { ...this.params, ...Object.fromEntries(free) };
    this.start();
  }

  /** Run the lab with the current parameters, wherever it runs live. */
  start(step?: number): void {
    if (step !== undefined) {
      this.chosen = step;
      this.following = false;
    }
    this.wanted = this.params;
    this.error = "";
    // A light run is let finish its picture, else a moving slider would never paint; a heavy one is superseded.
    if (!this.lab.runs_on.includes("browser")) this.current?.abort();
    if (!this.driving) void this.drive();
  }

  stop(): void {
    this.wanted = undefined;
    this.current?.abort();
  }

  /** All events of the shown run; the recording is fetched when the page holds only its first picture. */
  async all(): Promise<readonly LabEvent[]> {
    if (this.events.length === 0) await this.load();
    return this.events;
  }

  /** Show step `index`. */
  async show(index: number): Promise<void> {
    if ((await this.all()).length === 0) return; // it did not come: the picture that is here stays, and so does its step
    this.step = this.chosen = Math.max(0, Math.min(index, this.events.length - 1));
    this.following = this.step === this.count - 1;
    this.serial++;
  }

  private async load(): Promise<void> {
    try {
      const recording = await fetchRecording(this.lab.id, this.first.recording);
      if (this.events.length > 0) return; // a live run came first
      this.events = recording.events.filter((event): event is LabEvent => !isEngineEvent(event));
      this.count = this.events.length;
    } catch (error) {
      this.error = `${(error as Error).message}.`;
    }
  }

  private async drive(): Promise<void> {
    this.driving = true;
    while (this.wanted) {
      const params = this.wanted;
      this.wanted = undefined;
      await this.execute(params);
    }
    this.driving = false;
    this.status = "idle";
  }

  private async execute(params: Params): Promise<void> {
    const control = (this.current = new AbortController());
    const begun = performance.now();
    const hurry = setInterval(() => this.wanted && control.abort(), PATIENCE_MS);
    const target = this.following ? this.whole - 1 : this.chosen;
    let incoming: LabEvent[] = [];
    let provenance = this.provenance;
    let ended = false;
    this.status = "running";

    const commit = (final: boolean) => {
      if (incoming.length === 0) return;
      const last = incoming.length - 1;
      this.events = incoming.slice();
      this.count = incoming.length;
      this.step = this.following ? last : Math.min(this.chosen, last);
      this.shown = this.event;
      this.provenance = provenance;
      if (final || incoming.length > target) this.serial++;
    };

    try {
      for await (const event of this.live.run(this.lab.id, params, control.signal)) {
        if (control.signal.aborted) break;
        if (event.kind === "queued") {
          this.status = "queued";
          this.position = (event as { position: number }).position;
        } else if (event.kind === "started") {
          this.status = "running";
          provenance = (event as { provenance: Provenance }).provenance;
          incoming = []; // a second attempt starts over
        } else if (event.kind === "end") {
          const { status, reason } = event as { status: string; reason: string };
          ended = true;
          if (status === "ok") this.whole = incoming.length;
          commit(true);
          if (status !== "ok" && status !== "cancelled") this.error = reason;
        } else {
          incoming.push(event as LabEvent);
          // A short run is shown once it has the step that the reader looks at; a long one as it grows.
          if (incoming.length > target || performance.now() - begun > PATIENCE_MS) commit(false);
          if (this.wanted && incoming.length > target) break;
        }
      }
    } catch (error) {
      this.error = `Something went wrong: ${(error as Error).message}. Your settings are kept; run it again.`;
    } finally {
      clearInterval(hurry);
      if (!ended) control.abort();
    }
  }
}

/** The log of a figure's run, and the step of it that is shown. */
import type { End, LabEvent, Params, Provenance } from "../runner/types";
import { ENDED_WELL, kept, STOPPED, type FirstPicture, type Kept, type Log } from "./log";
import { longestOf, ticksOf } from "./ticks";
import type { Sentence } from "../words/sentence";

export class Playback {
  events = $state.raw<readonly LabEvent[]>([]);
  /** Index of the shown event. */
  step = $state(0);
  /** Events of the whole run; more than `events` holds while only the first picture of a recording is here. */
  count = $state(0);
  provenance = $state.raw<Provenance>()!;
  /** The parameters that made the events, which are not the newest while a run is on its way. */
  made = $state.raw<Params>({});
  error = $state("");
  /** Counts pictures that reached the page; tests and the benchmark wait for it. */
  serial = $state(0);
  /** Of the events that are here; before the recording is loaded, what the build found in it. */
  readonly ticks = $derived.by(() => (this.events.length > 0 ? ticksOf(this.events) : this.first.ticks));
  readonly longest = $derived.by(() =>
    longestOf([this.first.longest, ...this.events.map(({ text }) => text)]),
  );

  protected readonly first: FirstPicture;
  protected readonly recordings: readonly Kept[];
  private shown = $state.raw<LabEvent>()!;
  private end = $state.raw<End>();
  /** The step that the reader chose; who chose the last one follows to the newest picture. */
  private chosen = 0;
  private following = true;
  /** Events of the last run that was seen whole; one that was cut short says nothing of how long a run is. */
  private length = 0;

  constructor(first: FirstPicture) {
    this.first = first;
    const others = first.others.map((one) => ({ ...one, params: { ...first.params, ...one.params } }));
    this.recordings = [first, ...others].map(kept);
  }

  /** Whether there is no time to move in: a run of one step, and no lab that takes more. */
  get single(): boolean {
    return this.first.count === 1 && this.count === 1;
  }

  /** The event that the figure draws. Before the recording is loaded it is the one that came with the page. */
  get event(): LabEvent {
    return this.events[this.step] ?? this.shown;
  }

  /** The sentence of the step before or after the shown one; undefined beyond the ends. */
  beside(by: -1 | 1): Sentence | undefined {
    if (this.events.length > 0) return this.events[this.step + by]?.text;
    return by < 0 ? this.first.before : this.first.after;
  }

  /** Whether the log is whole: a run on its way has no end yet, and one that failed was cut short. */
  get whole(): boolean {
    return this.end?.status === "ok";
  }

  /** Whether somebody stopped it, so that there is no more of it. */
  get stopped(): boolean {
    return this.end?.status === "cancelled";
  }

  /** All events of the shown run; the recording is fetched when the page holds only its first picture. */
  async all(): Promise<readonly LabEvent[]> {
    if (this.events.length > 0) return this.events;
    try {
      const { events } = await this.recordings[0]!.log();
      if (this.events.length > 0) return this.events; // a live run came first
      this.events = events;
      this.count = events.length;
    } catch (error) {
      this.error = `${(error as Error).message}.`;
    }
    return this.events;
  }

  /** The shown run, whole. */
  async log(): Promise<Log> {
    return { events: await this.all(), params: this.made, provenance: this.provenance, end: this.end };
  }

  /** Show step `index`. */
  async show(index: number): Promise<void> {
    if ((await this.all()).length === 0) return; // it did not come: the picture that is here stays, and so does its step
    this.step = this.chosen = Math.max(0, Math.min(index, this.events.length - 1));
    this.following = this.step === this.count - 1;
    this.serial++;
  }

  /** Show the next step that is wanted, from the first one on again behind the last. */
  async seek(wanted: (event: LabEvent) => boolean): Promise<void> {
    const events = await this.all();
    const found = events.map((event, index) => (wanted(event) ? index : -1)).filter((index) => index >= 0);
    const next = found.find((index) => index > this.step) ?? found[0];
    if (next !== undefined) await this.show(next);
  }

  /** The picture that came with the page. */
  protected rewind(): void {
    this.made = this.first.params;
    this.end = ENDED_WELL;
    this.events = [];
    this.shown = this.first.event;
    this.aim(this.first.index, this.first.index === this.first.count - 1);
    this.step = this.first.index;
    this.count = this.length = this.first.count;
    this.provenance = this.first.provenance;
    this.error = "";
  }

  /** The step that the next run is to show; or its last, whichever that is. */
  protected aim(step: number, following = false): void {
    this.chosen = step;
    this.following = following;
  }

  /** The step of a run on its way that the reader waits for. */
  protected get target(): number {
    return this.following ? this.length - 1 : this.chosen;
  }

  /** The shown run, which is on its way, comes no further. */
  protected cut(): void {
    this.end = STOPPED;
  }

  protected take(events: readonly LabEvent[], params: Params, provenance: Provenance, end?: End): void {
    this.events = events;
    this.made = params;
    this.end = end;
    this.count = events.length;
    this.step = this.following ? events.length - 1 : Math.min(this.chosen, events.length - 1);
    this.shown = this.event;
    this.provenance = provenance;
    if (end?.status === "ok") this.length = events.length;
  }
}

/** The state of one figure: parameters, the log of the current run, and the step that is shown. */
import { home, runners, type Choice, type Place } from "../runner/resolve";
import type { End, LabEvent, Params, Provenance, Runner, Value } from "../runner/types";
import { execute } from "./execution";
import type { LinkState } from "./link";
import { ENDED_WELL, kept, sameParams, type FirstPicture, type Kept, type Log } from "./log";
import type { Lab } from "./manifest";
import { refusal } from "./place";
import { longestOf, ticksOf } from "./ticks";
import { texts } from "../words";

export type Status = "idle" | "queued" | "running";

export class Run {
  params = $state.raw<Params>({});
  events = $state.raw<readonly LabEvent[]>([]);
  /** Index of the shown event. */
  step = $state(0);
  /** Events of the whole run; more than `events` holds while only the first picture of a recording is here. */
  count = $state(0);
  status = $state<Status>("idle");
  position = $state(0);
  /** Seconds until a waiting run starts, guessed by the server; null where it does not know. */
  wait = $state<number | null>(null);
  provenance = $state.raw<Provenance>()!;
  error = $state("");
  /** Counts pictures that reached the page; tests and the benchmark wait for it. */
  serial = $state(0);
  /** Parameters that nobody here can change. */
  fixed = $state.raw<readonly string[]>([]);
  /** Of the events that are here; before the recording is loaded, what the build found in it. */
  readonly ticks = $derived.by(() => (this.events.length > 0 ? ticksOf(this.events) : this.first.ticks));
  readonly longest = $derived.by(() => longestOf([{ kind: "", text: this.first.longest }, ...this.events]));
  /** Where the run comes from: the recording until something is run. */
  on = $state<Choice>("recorded");
  /** A run that the reader has put aside, to compare others with it. */
  pinned = $state.raw<Log>();

  private readonly lab: Lab;
  private readonly first: FirstPicture;
  private readonly recordings: readonly Kept[];
  private readonly runners: Record<Place, Runner>;
  /** Runs the lab in another version than its own, until the figure is reset. */
  private other = $state.raw<Runner>();
  /** The parameters that made the events, which are not the newest while a run is on its way. */
  made = $state.raw<Params>({});
  private end: End | undefined;
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
    this.runners = runners(lab.front);
    this.first = first;
    this.recordings = [first, ...first.others].map(kept);
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
    return this.changed.length === 0 && this.step === this.first.index && !this.elsewhere && !this.other;
  }

  /** True where nothing but the random seed, and perhaps the step, is other than recorded. */
  get reseeded(): boolean {
    return this.changed.join() === "seed";
  }

  private get changed(): string[] {
    return Object.keys(this.first.params).filter((name) => this.params[name] !== this.first.params[name]);
  }

  /** Where it runs by itself; a lab that takes a device as a parameter is told there. */
  get home(): Place {
    return (this.params.device as Place | undefined) ?? home(this.lab.runs_on);
  }

  /** Where the reader wants it to run, if not where it runs by itself. */
  get elsewhere(): Place | undefined {
    return this.on === "recorded" || this.on === this.home ? undefined : this.on;
  }

  /** The run that was recorded with the parameters that are set; the device says where, not what. */
  get asRecorded(): Kept | undefined {
    return this.recordings.find(({ params }) => sameParams(this.params, params));
  }

  /** What to hold a run against: one that was recorded with the same parameters, or else that of the first picture. */
  get recording(): Kept {
    return this.asRecorded ?? this.recordings[0]!;
  }

  /** Back to the recorded run with its parameters. */
  restore(): void {
    this.stop();
    this.other = undefined;
    this.on = "recorded";
    this.params = this.made = this.first.params;
    this.end = ENDED_WELL;
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
    this.other = undefined;
    this.on = "recorded";
    this.set(whole ? this.first.params : { ...this.first.params, seed: seed! });
  }

  /** Change parameters; the figure goes live, or shows what was recorded with them. */
  set(change: Record<string, Value>, step?: number, live = false): void {
    const free = Object.entries(change).filter(([name]) => !this.fixed.includes(name));
    if (free.length === 0) return;
    this.params = { ...this.params, ...Object.fromEntries(free) };
    this.go(step, live);
  }

  /** Nobody waits for the server, nor for a step that the text names, where the very run is recorded. */
  private go(step: number | undefined, live: boolean): void {
    if (step !== undefined) [this.chosen, this.following] = [step, false];
    const known = !live && (step !== undefined || this.home !== "browser") && this.asRecorded;
    if (known && !this.elsewhere && !this.other) void this.play(known);
    else this.start();
  }

  /** Run the lab with the current parameters, wherever it runs live. */
  start(): void {
    if (this.on === "recorded") this.on = this.home;
    this.wanted = this.params;
    this.error = "";
    // A light run is let finish its picture, else a moving slider would never paint; a heavy one is superseded.
    if (this.on !== "browser") this.current?.abort();
    if (!this.driving) void this.drive();
  }

  private async play({ params, provenance, log }: Kept): Promise<void> {
    this.stop();
    this.other = undefined;
    this.on = "recorded";
    this.params = params;
    this.error = "";
    try {
      const { events } = await log();
      if (this.params !== params || this.on !== "recorded") return; // the reader was faster
      this.take(events, params, provenance, ENDED_WELL);
      this.serial++;
    } catch (error) {
      this.error = `${(error as Error).message}.`;
    }
  }

  /** Run it there, or show what was recorded. */
  choose(on: Choice): void {
    this.current?.abort();
    if (on === "recorded") return void this.play(this.recording);
    this.moveTo(on);
    this.start();
  }

  private moveTo(place: Place): void {
    this.other = undefined;
    this.on = place;
    if ("device" in this.params) this.params = { ...this.params, device: place };
  }

  /** The state that a link asks for; where that cannot be had just now, the reason. */
  async open(link: LinkState): Promise<string | undefined> {
    const asked = (this.params = link.params);
    const on = link.on ?? (asked.device === this.first.params.device ? undefined : (asked.device as Place));
    const problem = on && (await refusal(on, this.lab, this.asRecorded !== undefined));
    if (this.params !== asked) return undefined; // the reader was faster
    if (problem && asked.device) this.params = { ...asked, device: this.first.params.device! };
    else if (on && on !== "recorded" && !problem) this.moveTo(on);
    const step = link.step && link.step - 1;
    if (this.on !== "recorded" || !sameParams(asked, this.first.params))
      this.go(step, this.on !== "recorded");
    else if (step !== undefined) void this.show(step);
    return problem && `${texts().figure.link.place[on]} ${problem}`;
  }

  /** The shown run, whole. */
  async log(): Promise<Log> {
    return { events: await this.all(), params: this.made, provenance: this.provenance, end: this.end };
  }

  /** From now on run on this runner; without one, on the lab's own again. */
  startOn(runner?: Runner): void {
    this.other = runner;
    this.current?.abort();
    this.start();
  }

  stop(): void {
    this.wanted = undefined;
    this.current?.abort();
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
    const runner = this.other ?? this.runners[this.on === "recorded" ? this.home : this.on];
    const target = this.following ? this.whole - 1 : this.chosen;
    this.status = "running";
    const problem = await execute(runner.run(this.lab.id, params, control.signal), control, target, {
      overtaken: () => this.wanted !== undefined,
      queued: ({ position, wait }) => {
        this.status = "queued";
        this.position = position;
        this.wait = wait;
      },
      running: () => (this.status = "running"),
      show: (events, provenance, end) => {
        this.take(events, params, provenance ?? this.provenance, end);
        if (end || events.length > target) this.serial++;
      },
    });
    if (problem) this.error = problem;
  }
  private take(events: readonly LabEvent[], params: Params, provenance: Provenance, end?: End): void {
    this.events = events;
    this.made = params;
    this.end = end;
    this.count = events.length;
    this.step = this.following ? events.length - 1 : Math.min(this.chosen, events.length - 1);
    this.shown = this.event;
    this.provenance = provenance;
    if (end?.status === "ok") this.whole = events.length;
  }
}

/** The state of one figure: its parameters, where it runs, and the run that is on its way or shown. */
import { home, runners, type Choice, type Place } from "../runner/resolve";
import { python } from "../runner/python";
import type { Params, Runner, Starting, Value } from "../runner/types";
import { execute } from "./execution";
import { gesture } from "./gesture";
import type { LinkState } from "./link";
import { ENDED_WELL, sameParams, type FirstPicture, type Kept, type Log } from "./log";
import type { Lab } from "./manifest";
import { refusal } from "./place";
import { Playback } from "./playback.svelte";
import { texts } from "../words";

export type Status = "idle" | "queued" | "starting" | "running";

export class Run extends Playback {
  params = $state.raw<Params>({});
  status = $state<Status>("idle");
  /** Counts how often a run was asked for. */
  asked = $state(0);
  position = $state<number | null>(0);
  /** Seconds until a waiting run starts, guessed by the server; null where it does not know. */
  wait = $state<number | null>(null);
  /** How much of Python has come, while the run waits for it. */
  arrival = $state.raw<Starting>();
  /** Parameters that a link asked for, until their picture is there: no other one is shown instead. */
  awaited = $state.raw<Params>();
  /** Parameters that nobody here can change. */
  fixed = $state.raw<readonly string[]>([]);
  /** Whether only such were to be changed just now. */
  refused = $state(false);
  /** Where the run comes from: the recording until something is run. */
  on = $state<Choice>("recorded");
  /** The error, where to run the same again would only meet it again. */
  final = $state("");
  /** A run that the reader has put aside, to compare others with it. */
  pinned = $state.raw<Log>();

  private kept = "";
  /** What is wrong, until something right is shown: it stays, unlike the error, while the next try is on its way. */
  readonly wrong = $derived.by(
    () => (this.kept = this.error || (this.made === this.params ? "" : this.kept)),
  );

  readonly lab: Lab;
  private readonly runners: Record<Place, Runner>;
  /** Runs the lab in another version than its own, until the figure is reset. */
  private other = $state.raw<Runner>();
  private wanted: Params | undefined;
  private driving = false;
  /** Whether anything of the run on its way is shown. */
  private arrived = false;
  private current: AbortController | undefined;

  constructor(lab: Lab, first: FirstPicture) {
    super(first);
    this.lab = lab;
    this.runners = runners(lab);
    this.restore();
  }

  get pristine(): boolean {
    return this.changed.length === 0 && this.step === this.first.index && !this.elsewhere && !this.other;
  }

  /** True where the picture is the one that came with the page, in the settings that came with it. */
  get untouched(): boolean {
    return this.pristine && this.on === "recorded" && !this.error;
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

  /** The run that was recorded with the parameters that are set: on the device that is set, or else on another. */
  get asRecorded(): Kept | undefined {
    const same = this.recordings.filter(({ params }) => sameParams(this.params, params));
    return same.find((run) => this.onThatDevice(run)) ?? same[0];
  }

  private onThatDevice(run: Kept | undefined): boolean {
    return !!run && run.params.device === this.params.device;
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
    this.params = this.first.params;
    this.awaited = undefined;
    this.rewind();
  }

  /** The settings as recorded, all but the seed: a seed is rolled and taken back on purpose, never in passing. */
  reset(): void {
    const { seed } = this.params;
    const whole = this.reseeded || seed === this.first.params.seed;
    const free = this.fixed.every((name) => this.params[name] === this.first.params[name]);
    if (whole && free) return this.restore();
    this.aim(this.first.index, this.first.index === this.first.count - 1);
    this.other = undefined;
    this.on = "recorded";
    this.set(whole ? this.first.params : { ...this.first.params, seed: seed! });
  }

  /** Change parameters; it goes live, or shows what was recorded with them. A picture may ask for what is fixed here. */
  set(change: Record<string, Value>, step?: number, live = false): void {
    const free = Object.entries(change).filter(([name]) => !this.fixed.includes(name));
    const other = Object.entries(change).some(([name, value]) => this.params[name] !== value);
    this.refused = other && free.length === 0;
    if (free.length === 0) return;
    this.params = { ...this.params, ...Object.fromEntries(free) };
    this.go(step, live);
  }

  /** Somebody has a hand on this parameter. Before the lab has run in the page nothing is fetched for a guess. */
  near(name: string): void {
    if (this.other || (this.elsewhere ?? this.home) !== "browser" || !python.labs.has(this.lab.id)) return;
    this.runners.browser.nears?.(this.lab.id, this.params, name, this.target);
  }

  /** Nobody waits for the server, for a first run in Python, or for a step that the text names, where this is recorded. */
  private go(step: number | undefined, live: boolean, linked = false): void {
    if (step !== undefined) this.aim(step);
    const faster = this.home !== "browser" || !python.labs.has(this.lab.id) || step !== undefined;
    const recorded = !live && faster ? this.asRecorded : undefined;
    // Once a reader has chosen a device, what another one did is no answer.
    const known = this.on === "recorded" || this.onThatDevice(recorded) ? recorded : undefined;
    if (known && !this.elsewhere && !this.other) void this.play(known);
    else if (linked && (this.elsewhere ?? this.home) !== "browser") this.startWhenTouched();
    else this.start();
  }

  /** What an address asks of a server. */
  private startWhenTouched(): void {
    const touched = gesture();
    if (!touched) return this.start();
    const { params } = this;
    this.awaited = undefined; // nothing is computed yet
    this.error = texts().figure.link.gesture;
    void touched.then(() => this.params === params && this.status === "idle" && this.start());
  }

  /** Run the lab with the current parameters, wherever it runs live. */
  start(): void {
    if (this.on === "recorded") this.on = this.home;
    this.wanted = this.params;
    this.error = "";
    this.asked++;
    if (this.status === "idle") this.status = "running"; // one that was stopped may not have let go yet
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
    this.awaited = undefined;
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
    const there = asked.device === this.first.params.device || this.onThatDevice(this.asRecorded);
    const on = link.on ?? (there ? undefined : (asked.device as Place));
    const problem = on && (await refusal(on, this.lab, this.asRecorded !== undefined));
    if (this.params !== asked) return undefined; // the reader was faster
    if (problem && asked.device) this.params = { ...asked, device: this.first.params.device! };
    else if (on && on !== "recorded" && !problem) this.moveTo(on);
    const step = link.step && link.step - 1;
    const first = sameParams(asked, this.first.params) && this.params.device === this.first.params.device;
    if (this.on !== "recorded" || !first) {
      this.awaited = asked;
      this.go(step, this.on !== "recorded", true);
    } else if (step !== undefined) await this.show(step);
    return problem && `${texts().figure.link.place[on]} ${problem}`;
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

  /** The reader does not want to wait for more; what has come stays. */
  cancel(): void {
    if (this.status === "idle") return;
    this.stop();
    this.status = "idle";
    this.awaited = undefined;
    if (this.arrived && this.made === this.params) this.cut();
    else this.error = texts().figure.stoppedEarly;
  }

  private async drive(): Promise<void> {
    this.driving = true;
    while (this.wanted) {
      const params = this.wanted;
      this.wanted = undefined;
      this.error = "";
      await this.execute(params);
    }
    this.driving = false;
    this.status = "idle";
  }

  private async execute(params: Params): Promise<void> {
    const control = (this.current = new AbortController());
    const runner = this.other ?? this.runners[this.on === "recorded" ? this.home : this.on];
    const { lab, target } = this;
    this.status = "running";
    this.arrived = false;
    const problem = await execute(runner.run(lab.id, params, control.signal, target), control, target, {
      overtaken: () => this.wanted !== undefined,
      queued: ({ position, wait }) => {
        this.status = "queued";
        this.position = position;
        this.wait = wait;
      },
      starting: (arrival) => {
        this.status = "starting";
        this.arrival = arrival;
      },
      running: () => (this.status = "running"),
      show: (events, provenance, end) => {
        this.take(events, params, provenance ?? this.provenance, end);
        this.arrived = true;
        if (end || events.length > target) {
          this.serial++;
          this.awaited = undefined;
        }
      },
    });
    if (this.wanted) return; // what was wrong with it is of no interest any more
    this.awaited = undefined;
    if (!problem) return;
    this.error = problem.words;
    this.final = problem.again ? "" : problem.words;
  }
}

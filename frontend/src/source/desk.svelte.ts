/** What a reader who changes a lab has before them: its code, theirs, and what became of running it. It outlives the
 *  panel that shows it. */
import type { Lab } from "../lab/manifest";
import type { Run } from "../lab/run.svelte";
import { onDevice } from "../runner/resolve";
import { Sandbox, type Fault } from "../runner/sandbox";
import { changes } from "./changes";
import { readDraft, writeDraft } from "./draft";
import { LINK_CHARS, unwrap, wrap, type Parcel } from "./parcel";
import { later, number } from "../words";

export class Desk {
  original = $state("");
  code = $state("");
  /** Where code came from that was not written here just now, and has to be read before it is run. */
  brought = $state.raw<{ by: "link" | "draft"; version: string }>();
  problem = $state("");
  status = $state<"idle" | "starting" | "running">("idle");
  fault = $state.raw<Fault>();
  printed = $state("");
  /** More was printed than is shown. */
  cut = $state(false);
  /** The code that the figure shows, if it is not the lab's own. */
  ran = $state<string>();
  readonly count = $derived(changes(this.original, this.code).count);

  /** The version of the lab that the code was changed from. */
  private basis: string;
  private readonly sandbox = new Sandbox();
  private link = "";
  private readonly lab: Lab;
  private readonly run: Run;
  private readonly figure: string;

  constructor(lab: Lab, run: Run, figure: string) {
    this.lab = lab;
    this.basis = lab.version;
    this.run = run;
    this.figure = figure;
  }

  get onDevice(): boolean {
    return onDevice(this.lab.runs_on);
  }

  get editable(): boolean {
    return this.lab.runs_on.includes("browser") && !this.onDevice;
  }

  /** Fetch the lab's source, and take up what a link or an earlier visit brings. Throws if there is no source. */
  async open(link: string): Promise<void> {
    if (!this.original) {
      const answer = await fetch(`/labs/${this.lab.id}.py`);
      if (!answer.ok) throw new Error(later().source.unloaded(answer.status));
      this.original = this.code = await answer.text();
      const draft = readDraft(this.figure);
      if (draft && this.editable) {
        this.take(draft, "draft");
        this.link = draft.link;
      }
    }
    if (link && link !== this.link && this.editable) await this.unfold(link);
  }

  private async unfold(link: string): Promise<void> {
    this.link = link;
    this.problem = "";
    try {
      this.take(await unwrap(link), "link");
      this.keep();
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  private take({ version, code }: Parcel, by: "link" | "draft"): void {
    this.code = code;
    this.basis = version;
    this.brought = code === this.original ? undefined : { by, version };
  }

  edit(code: string): void {
    if (code === this.code) return;
    this.code = code;
    this.fault = undefined;
    this.keep();
    this.sandbox.warm();
  }

  private keep(): void {
    const draft = { version: this.basis, code: this.code, link: this.link };
    writeDraft(this.figure, this.code === this.original ? undefined : draft);
  }

  /** Run this code with the figure's parameters; the figure goes on with it until it is reset. */
  execute(): void {
    const { code } = this;
    this.brought = undefined;
    if (code === this.original) return this.runOriginal();
    const now = () => this.ran === code;
    this.ran = code;
    const runner = this.sandbox.runner(code, this.lab.version, {
      began: () => {
        if (!now()) return;
        this.status = "starting";
        this.fault = undefined;
        this.printed = "";
        this.cut = false;
      },
      ready: () => now() && (this.status = "running"),
      printed: (text, full) => {
        if (!now()) return;
        this.printed += text;
        this.cut = full;
      },
      fault: (fault) => now() && this.code === code && (this.fault = fault),
      ended: () => now() && (this.status = "idle"),
    });
    this.run.startOn(runner);
  }

  stop(): void {
    this.run.cancel();
    this.sandbox.stop();
  }

  /** Back to the lab's own code, in the editor and in the figure. */
  reset(): void {
    this.code = this.original;
    this.basis = this.lab.version;
    this.brought = this.fault = undefined;
    this.problem = this.printed = "";
    this.cut = false;
    this.keep();
    if (this.ran !== undefined) this.runOriginal();
  }

  private runOriginal(): void {
    this.ran = undefined;
    if (this.status !== "idle") this.sandbox.stop();
    this.status = "idle";
    this.run.startOn();
  }

  /** What follows the `#` in a link to this code; throws if it is too long to share. */
  async share(): Promise<string> {
    const text = await wrap({ version: this.basis, code: this.code });
    if (text.length > LINK_CHARS)
      throw new Error(later().source.long(number(text.length), number(LINK_CHARS)));
    return text;
  }
}

const desks = new WeakMap<Run, Desk>();

/** The desk of a figure: one for each, made when its source is opened first. */
export function deskOf(lab: Lab, run: Run, figure: string): Desk {
  let desk = desks.get(run);
  if (!desk) {
    // In a root of its own: what it derives must not end with the panel that happened to open it.
    $effect.root(() => void (desk = new Desk(lab, run, figure)));
    desks.set(run, desk!);
  }
  return desk!;
}

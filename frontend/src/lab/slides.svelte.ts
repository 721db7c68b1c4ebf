/** The steps of a run as pictures that stand alone, drawn beside the page in the theme that the reader sees. */
import { flushSync, mount, tick, unmount } from "svelte";
import type { Drawing } from "./drawing";
import { drawingOf } from "./drawings";
import type { Lab } from "./manifest";
import type { Run } from "./run.svelte";
import Slide from "./Slide.svelte";
import type { LabEvent } from "../runner/types";
import { said, texts } from "../words";

interface State {
  lab: Lab;
  drawing: Drawing;
  event: LabEvent;
  params: Run["params"];
  provenance: Run["provenance"];
  step: number;
  count: number;
  height: number | undefined;
}

export class Slides {
  private constructor(
    private readonly frame: HTMLElement,
    private readonly events: readonly LabEvent[],
    private readonly state: State,
    private readonly slide: object,
  ) {}

  /** The run as it stands now: what it becomes while pictures are taken does not change them. */
  static async of(lab: Lab, run: Run): Promise<Slides> {
    const { step } = run;
    const [drawing, { events, params, provenance }] = await Promise.all([drawingOf(lab.id), run.log()]);
    if (events.length === 0) throw new Error(texts().figure.slide.missing);
    const frame = document.createElement("div");
    frame.inert = true;
    frame.ariaHidden = "true";
    frame.style.cssText = "position: fixed; top: 0; left: -2000px";
    document.body.append(frame);
    const event = events[step]!;
    const state = $state<State>({
      lab,
      drawing,
      event,
      params,
      provenance,
      step,
      count: events.length,
      height: undefined,
    });
    return new Slides(frame, events, state, mount(Slide, { target: frame, props: state }));
  }

  get count(): number {
    return this.events.length;
  }

  get node(): HTMLElement {
    return this.frame.firstElementChild as HTMLElement;
  }

  get sentence(): string {
    return said(this.state.event.text).words;
  }

  async show(step: number): Promise<void> {
    this.state.event = this.events[step]!;
    this.state.step = step;
    flushSync();
    await tick();
  }

  /** Make all of these steps as tall as the tallest of them, so that they can follow one another in a film. */
  async level(steps: readonly number[]): Promise<void> {
    let tallest = 0;
    for (const step of steps) {
      await this.show(step);
      tallest = Math.max(tallest, this.node.offsetHeight);
    }
    this.state.height = tallest;
    flushSync();
  }

  async close(): Promise<void> {
    await unmount(this.slide);
    this.frame.remove();
  }
}

/** Which part of the time a chart shows: it moves there in a moment, or at once for readers who want no motion. */
import { calm } from "../../../kit/motion/calm";
import type { Window } from "./chart";

const LEAST = 200; // nanoseconds
const MS = 160;

export class View {
  shown = $state.raw<Window>({ from: 0, to: 1 });
  #goal: Window = { from: 0, to: 1 };
  #whole = 1;
  #frame = 0;

  /** Begins anew with all of a trace. */
  reset(end: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#whole = Math.max(1, end);
    this.#goal = this.shown = { from: 0, to: this.#whole };
  }

  get far(): boolean {
    return this.shown.to - this.shown.from < 0.999 * this.#whole;
  }

  /** Shows a window, as far as there is anything. */
  go({ from, to }: Window): void {
    const wide = Math.min(this.#whole, Math.max(LEAST, to - from));
    const left = Math.min(this.#whole - wide, Math.max(0, (from + to - wide) / 2));
    const begin = this.shown;
    const goal = (this.#goal = { from: left, to: left + wide });
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (calm()) {
      this.shown = goal;
      return;
    }
    let since: number | undefined;
    const step = (now: number) => {
      since ??= now - 16;
      const part = Math.min(1, (now - since) / MS);
      const eased = 1 - (1 - part) ** 3;
      this.shown = {
        from: begin.from + (goal.from - begin.from) * eased,
        to: begin.to + (goal.to - begin.to) * eased,
      };
      this.#frame = part < 1 ? requestAnimationFrame(step) : 0;
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** Makes what is shown this many times as long, around a moment. */
  zoom(factor: number, around = (this.#goal.from + this.#goal.to) / 2): void {
    const { from, to } = this.#goal;
    const wide = Math.min(this.#whole, Math.max(LEAST, (to - from) * factor));
    const left = around - ((around - from) / (to - from)) * wide;
    this.go({ from: left, to: left + wide });
  }

  /** Goes to a side by a share of what is shown. */
  pan(share: number): void {
    const { from, to } = this.#goal;
    const by = Math.max(-from, Math.min(this.#whole - to, (to - from) * share));
    this.go({ from: from + by, to: to + by });
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}

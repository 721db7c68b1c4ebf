// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  policy: "fifo" | "shortest" | "priority" | "ageing" | "fair" | "deficit";
  /**
   * Work that arrives, as a share of what the workers can do.
   */
  load: number;
  /**
   * Bursts bring six at once, on average; “written” takes those of the text field.
   */
  arrivals: "poisson" | "bursts" | "written";
  /**
   * 2.5:a1 arrives at 2.5 s, of class A, with 1 s of work.
   */
  written: string;
  /**
   * By class: A has 0.5 s, B 1 s, C 2 s on average; in the others each class has 1 s.
   */
  sizes: "by class" | "alike" | "fixed" | "heavy tail";
  workers: number;
  requests: number;
  seed: number;
  /**
   * Priority that a waiting request gains.
   */
  rate: number;
  /**
   * Off: a request gets its key on arrival, and keeps it.
   */
  rebuilt: boolean;
  /**
   * Work done in one turn of round robin.
   */
  quantum: number;
  /**
   * The ageing priority is an int, which drops the fraction.
   */
  whole: boolean;
}
/**
 * The server after one moment, or what many requests came to.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "arrives" | "leaves" | "many";
  /**
   * Seconds from the start.
   */
  now: number;
  /**
   * When the last request that is watched leaves.
   */
  horizon: number;
  /**
   * [arrived] 0 to 2, in the order of arrival; a request is called by its class and its place here, from 1
   */
  classes: NdArray<Uint8Array>;
  /**
   * [arrived] seconds of work
   */
  sizes: NdArray<Float32Array>;
  /**
   * [arrived] seconds
   */
  arrived: NdArray<Float32Array>;
  /**
   * [arrived] seconds; NaN for those who wait
   */
  began: NdArray<Float32Array>;
  /**
   * [arrived] who works on it; 0 for those who wait, too
   */
  worker: NdArray<Uint8Array>;
  /**
   * Requests that wait or are worked on.
   */
  inside: number;
  /**
   * [waiting] who they are, counted in the order of arrival from 0, the next one first
   */
  queue: NdArray<Uint8Array>;
  /**
   * [waiting] what they are ordered by; NaN if it is not a number of their own
   */
  keys: NdArray<Float32Array>;
  /**
   * Who arrives or leaves; -1 for many.
   */
  who: number;
  /**
   * Who begins; -1 for none.
   */
  next: number;
  /**
   * [classes, shares] of many: seconds of waiting that this share of a class exceeds; empty for a moment
   */
  tails: NdArray<Float32Array, ["kind", "share"]>;
  /**
   * [shares] 1, …, 0.001; empty for a moment
   */
  shares: NdArray<Float32Array>;
  /**
   * [4, classes] seconds of waiting: the mean, what 99 of a hundred stay within, the longest, which counts those
   * who still wait, and, for many, the mean by theory. NaN where there is none, or no closed form.
   */
  waits: NdArray<Float32Array, ["statistic", "kind"]>;
  /**
   * The mean number inside, over time: L.
   */
  length: number;
  /**
   * Arrivals a second: λ.
   */
  throughput: number;
  /**
   * The mean time inside, so far: W.
   */
  stay: number;
  /**
   * Keys of waiting requests that were written again.
   */
  touched: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.policy": ["fifo", "shortest", "priority", "ageing", "fair", "deficit"],
  "Params.arrivals": ["poisson", "bursts", "written"],
  "Params.sizes": ["by class", "alike", "fixed", "heavy tail"],
  "Picture.stage": ["arrives", "leaves", "many"],
} as const;

// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Training | Raced | Verdict;
}
export interface Params {
  equation: "burgers" | "heat";
  viscosity: number;
  /**
   * Each on 32 pairs of fields.
   */
  steps: number;
  /**
   * Initial fields, each followed to time 1.
   */
  samples: number;
  resolution: 32 | 64 | 128;
  modes: number;
  width: number;
  /**
   * How many times in a row the network is applied.
   */
  leaps: 1 | 2 | 4 | 10;
  /**
   * Every solver gets this many fields in one array.
   */
  together: 1 | 32 | 256;
  repetitions: number;
  seed: number;
}
/**
 * The network learns.
 */
export interface Training {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * Of the training
   */
  step: number;
  steps: number;
  /**
   * [pieces so far] steps, at the end of each piece of the training
   */
  at: NdArray<Int32Array>;
  /**
   * [pieces so far] root of the mean relative square error of one leap, over a batch; the mean of each piece
   */
  losses: NdArray<Float32Array, ["step"]>;
  /**
   * Numbers that are learned; a complex one counts twice
   */
  parameters: number;
  /**
   * To make the fields to learn from
   */
  data_seconds: number;
  /**
   * So far
   */
  train_seconds: number;
  /**
   * [64] a field that it never saw
   */
  sample_start: NdArray<Float32Array>;
  /**
   * [64] the same at time 1, by formula
   */
  sample_exact: NdArray<Float32Array>;
  /**
   * [64] by the network as trained so far, asked at 64 points
   */
  sample_network: NdArray<Float32Array>;
  ways: ("network" | "spectral" | "differences" | "upwind")[];
  /**
   * [finished] its place in ``ways``
   */
  way: NdArray<Int32Array>;
  /**
   * [finished] of its grid
   */
  points: NdArray<Int32Array>;
  /**
   * [finished] at time 1, median over the fields: root mean square error as a share of the exact field's own
   */
  error: NdArray<Float32Array>;
  /**
   * [finished, 3] for one field
   */
  seconds: NdArray<Float32Array, ["finished", "quartile"]>;
  kind: "training";
}
/**
 * Solvers have finished, or all ways have.
 */
export interface Raced {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * Of the training
   */
  step: number;
  steps: number;
  /**
   * [pieces so far] steps, at the end of each piece of the training
   */
  at: NdArray<Int32Array>;
  /**
   * [pieces so far] root of the mean relative square error of one leap, over a batch; the mean of each piece
   */
  losses: NdArray<Float32Array, ["step"]>;
  /**
   * Numbers that are learned; a complex one counts twice
   */
  parameters: number;
  /**
   * To make the fields to learn from
   */
  data_seconds: number;
  /**
   * So far
   */
  train_seconds: number;
  /**
   * [64] a field that it never saw
   */
  sample_start: NdArray<Float32Array>;
  /**
   * [64] the same at time 1, by formula
   */
  sample_exact: NdArray<Float32Array>;
  /**
   * [64] by the network as trained so far, asked at 64 points
   */
  sample_network: NdArray<Float32Array>;
  ways: ("network" | "spectral" | "differences" | "upwind")[];
  /**
   * [finished] its place in ``ways``
   */
  way: NdArray<Int32Array>;
  /**
   * [finished] of its grid
   */
  points: NdArray<Int32Array>;
  /**
   * [finished] at time 1, median over the fields: root mean square error as a share of the exact field's own
   */
  error: NdArray<Float32Array>;
  /**
   * [finished, 3] for one field
   */
  seconds: NdArray<Float32Array, ["finished", "quartile"]>;
  kind: "raced";
}
/**
 * The network, asked on the grid that it learned from, beside another way.
 */
export interface Verdict {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * Of the training
   */
  step: number;
  steps: number;
  /**
   * [pieces so far] steps, at the end of each piece of the training
   */
  at: NdArray<Int32Array>;
  /**
   * [pieces so far] root of the mean relative square error of one leap, over a batch; the mean of each piece
   */
  losses: NdArray<Float32Array, ["step"]>;
  /**
   * Numbers that are learned; a complex one counts twice
   */
  parameters: number;
  /**
   * To make the fields to learn from
   */
  data_seconds: number;
  /**
   * So far
   */
  train_seconds: number;
  /**
   * [64] a field that it never saw
   */
  sample_start: NdArray<Float32Array>;
  /**
   * [64] the same at time 1, by formula
   */
  sample_exact: NdArray<Float32Array>;
  /**
   * [64] by the network as trained so far, asked at 64 points
   */
  sample_network: NdArray<Float32Array>;
  ways: ("network" | "spectral" | "differences" | "upwind")[];
  /**
   * [finished] its place in ``ways``
   */
  way: NdArray<Int32Array>;
  /**
   * [finished] of its grid
   */
  points: NdArray<Int32Array>;
  /**
   * [finished] at time 1, median over the fields: root mean square error as a share of the exact field's own
   */
  error: NdArray<Float32Array>;
  /**
   * [finished, 3] for one field
   */
  seconds: NdArray<Float32Array, ["finished", "quartile"]>;
  kind: "verdict";
  stage: "weak" | "fair" | "counted";
  /**
   * Its place among the finished.
   */
  network: number;
  /**
   * That of the weak baseline.
   */
  weak: number;
  /**
   * That of the fastest solver that is as exact.
   */
  fair: number;
  /**
   * The one of the two that this picture is about.
   */
  rival: number;
  /**
   * The weak baseline's time over the network's
   */
  speedup_weak: number;
  /**
   * The network's time over the fair one's
   */
  slowdown_fair: number;
  /**
   * The network's time for a thousand fields, with data and training, over the fair one's time for them
   */
  slowdown_counted: number;
  /**
   * The network's
   */
  own_error: number;
  /**
   * Of the fair one's grid
   */
  fair_points: number;
  /**
   * Fields after which data and training have paid beside the fair one; None for never
   */
  pays_after: number | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.equation": ["burgers", "heat"],
  "Params.resolution": [32, 64, 128],
  "Params.leaps": [1, 2, 4, 10],
  "Params.together": [1, 32, 256],
  "Training.ways": ["network", "spectral", "differences", "upwind"],
  "Raced.ways": ["network", "spectral", "differences", "upwind"],
  "Verdict.ways": ["network", "spectral", "differences", "upwind"],
  "Verdict.stage": ["weak", "fair", "counted"],
} as const;

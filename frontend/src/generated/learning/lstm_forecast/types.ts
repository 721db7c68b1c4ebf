// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A rolling origin trains again before each of the last five years.
   */
  test: "last two years" | "rolling origin";
  scaling: "z-score" | "min-max" | "log, z-score";
  hidden: number;
  /**
   * Added to the random value near 0 that PyTorch draws.
   */
  forget_bias: number;
  /**
   * Of Adam.
   */
  learning_rate: number;
  epochs: number;
  /**
   * Each with its own seed.
   */
  networks: number;
  seed: number;
  /**
   * No split: every month is trained on and tested.
   */
  no_split: boolean;
}
/**
 * All networks after ``epoch`` epochs.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "begin" | "training" | "end";
  epoch: number;
  epochs: number;
  first_year: number;
  /**
   * [144] thousands of passengers, from January of the first year
   */
  months: NdArray<Float32Array>;
  /**
   * [tested] places of the months that are forecast
   */
  tested: NdArray<Int32Array>;
  /**
   * [networks, tested] thousands of passengers
   */
  forecasts: NdArray<Float32Array>;
  /**
   * [tested] likewise, by AR(12)
   */
  linear: NdArray<Float32Array>;
  /**
   * [so far]
   */
  curve_epochs: NdArray<Int32Array>;
  /**
   * [networks, so far] root mean squared error in the months learned from, thousands of passengers
   */
  learned: NdArray<Float32Array>;
  /**
   * [networks, so far] the same in the tested months
   */
  unseen: NdArray<Float32Array>;
  /**
   * [networks] the last column of ``unseen``
   */
  off: NdArray<Float32Array, ["network"]>;
  off_median: number;
  /**
   * Of the networks, the median of the mean squared error in units of the whole series’ variance
   */
  mse_median: number;
  baselines: Baseline[];
  /**
   * Networks that are off by less than AR(12)
   */
  better: number;
  /**
   * What one training took so far
   */
  seconds: number;
}
export interface Baseline {
  name: string;
  off: number;
  mse: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.test": ["last two years", "rolling origin"],
  "Params.scaling": ["z-score", "min-max", "log, z-score"],
  "Picture.stage": ["begin", "training", "end"],
} as const;

// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Moment;
}
export interface Params {
  /**
   * Burgers: a field carries itself along and diffuses; heat: it only diffuses.
   */
  equation: "burgers" | "heat";
  /**
   * The network was trained on 0.005 to 0.05.
   */
  viscosity: number;
  /**
   * It was trained on grids of 64.
   */
  asked: 16 | 32 | 64 | 128 | 256 | 512 | 1024;
  /**
   * Three networks, trained separately.
   */
  modes: 4 | 8 | 16;
  points: 16 | 32 | 64 | 128 | 256;
  /**
   * Draw it in the picture. Evenly spaced values, in hundredths.
   */
  start: string;
}
/**
 * The field at one time, by formula and as each way has it. A value that has left all bounds is NaN.
 */
export interface Moment {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "moment";
  time: number;
  /**
   * [128] by formula
   */
  exact: NdArray<Float32Array>;
  /**
   * [points] by the spectral solver
   */
  spectral: NdArray<Float32Array>;
  /**
   * [points] by finite differences
   */
  differences: NdArray<Float32Array>;
  /**
   * [asked] by the network
   */
  network: NdArray<Float32Array>;
  ways: ("spectral" | "differences" | "network")[];
  /**
   * [times so far]
   */
  times: NdArray<Float32Array>;
  /**
   * [3, times so far] root mean square error as a share of the start's root mean square
   */
  errors: NdArray<Float32Array, ["way", "time"]>;
  /**
   * Root mean square of the exact field as a share of the start's
   */
  remains: number;
  /**
   * [times so far] as above, between the network's answer on its grid and its own answer on 1,024 points
   */
  by_grid: NdArray<Float32Array>;
  /**
   * [48] of the waves 0, 1, 2, … in the exact field
   */
  heights_exact: NdArray<Float32Array>;
  /**
   * [3, 48] of the same waves by each way; NaN where its grid has none
   */
  heights: NdArray<Float32Array, ["way", "wave"]>;
  /**
   * [3] by each way so far; a transform of n real numbers is counted as n log2 n
   */
  multiplications: NdArray<Int32Array, ["way"]>;
  /**
   * Of the spectral solver so far
   */
  steps: number;
  /**
   * Of finite differences so far
   */
  steps_differences: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.equation": ["burgers", "heat"],
  "Params.asked": [16, 32, 64, 128, 256, 512, 1024],
  "Params.modes": [4, 8, 16],
  "Params.points": [16, 32, 64, 128, 256],
  "Moment.ways": ["spectral", "differences", "network"],
} as const;

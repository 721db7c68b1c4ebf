// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * The time of one program, divided by that of another.
   */
  divide:
    "C++_by_GPU" | "Python_by_C++" | "C++_by_NumPy" | "Python_by_NumPy" | "NumPy_by_GPU" | "Python_by_GPU";
  /**
   * It says 1,000 rows, but its factor is that of 500.
   */
  kept: boolean;
}
/**
 * Two times of one size and their factor; at the end the sentence about the largest size.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "row" | "sentence";
  programs: string[];
  /**
   * [sizes] rows and columns of the matrices
   */
  sizes: NdArray<Int32Array>;
  /**
   * [programs, sizes] milliseconds
   */
  took: NdArray<Float32Array, ["program", "size"]>;
  /**
   * Which of the programs.
   */
  slow: number;
  /**
   * Which of the programs.
   */
  fast: number;
  /**
   * Which of the sizes.
   */
  at: number;
  /**
   * Time of the slow program over that of the fast one, at this size.
   */
  factor: number;
  /**
   * What the sentence says, once there is one.
   */
  said: number | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.divide": [
    "C++_by_GPU",
    "Python_by_C++",
    "C++_by_NumPy",
    "Python_by_NumPy",
    "NumPy_by_GPU",
    "Python_by_GPU",
  ],
  "Picture.stage": ["row", "sentence"],
} as const;

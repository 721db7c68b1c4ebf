// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * Begins with arange(n); then reshape, view, T, transpose, permute, [i, a:b:c], flip, expand, …
   */
  chain: string;
  dtype: "uint8" | "int16" | "int32" | "int64" | "float16" | "float32" | "float64";
  /**
   * NumPy has negative strides; PyTorch has none, and copies instead.
   */
  library: "PyTorch" | "NumPy";
  /**
   * The one whose place is computed, counted row by row.
   */
  element: number;
}
/**
 * A tensor after one operation, or on the way through it.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "storage" | "operation" | "refused" | "walk" | "end";
  /**
   * As it is written.
   */
  operation: string;
  begin: number;
  /**
   * Where it is written in the chain.
   */
  end: number;
  /**
   * A view reads the same bytes, a copy others; ``same`` is the tensor itself.
   */
  outcome: "made" | "view" | "copy" | "same" | "refused";
  why: string;
  shape: number[];
  /**
   * In elements.
   */
  strides: number[];
  /**
   * In elements.
   */
  offset: number;
  contiguous: boolean;
  shape_before: number[];
  strides_before: number[];
  /**
   * Two dimensions of the tensor before that would have to be read as one; else empty.
   */
  blocked: number[];
  /**
   * The storage's number: 0 at first, 1 more after each copy.
   */
  storage: number;
  /**
   * Bytes
   */
  itemsize: number;
  /**
   * [places × itemsize] the storage, as it is in memory
   */
  bytes: NdArray<Uint8Array>;
  /**
   * [places] what the bytes of each place stand for
   */
  numbers: string[];
  /**
   * [elements] where each element is read, the last index fastest
   */
  places: NdArray<Int32Array>;
  /**
   * The element whose place is worked out.
   */
  at: number | null;
  /**
   * Of that element.
   */
  index: number[];
  /**
   * Elements that the walk has read.
   */
  walked: number;
  /**
   * Cache lines that hold what was walked over; before the walk, what the tensor reads.
   */
  lines: number;
  /**
   * How often the walk came into another line than it was in.
   */
  fetches: number;
  /**
   * Bytes that were copied so far.
   */
  copied: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.dtype": ["uint8", "int16", "int32", "int64", "float16", "float32", "float64"],
  "Params.library": ["PyTorch", "NumPy"],
  "Picture.stage": ["storage", "operation", "refused", "walk", "end"],
  "Picture.outcome": ["made", "view", "copy", "same", "refused"],
} as const;

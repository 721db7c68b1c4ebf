// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * The arena is planned beforehand; the others see one request at a time.
   */
  policy: "no reuse" | "powers of two" | "best fit" | "arena";
  batch: number;
  width: number;
  depth: number;
  /**
   * The others are computed again on the way back.
   */
  keep: number;
  steps: number;
  /**
   * Its size, relative to the others: data often end in a smaller batch.
   */
  last: number;
  /**
   * Best fit keeps free the part of a block that a request does not need.
   */
  splits: boolean;
}
/**
 * Memory after one request.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "forward" | "backward" | "update";
  /**
   * Of the training, from 1.
   */
  step: number;
  /**
   * Requests before this one.
   */
  moment: number;
  /**
   * Requests in the whole run.
   */
  moments: number;
  /**
   * What the operations are called whose results were asked for
   */
  names: string[];
  /**
   * [requests so far] as listed
   */
  name: NdArray<Uint8Array>;
  /**
   * [requests so far] forward, backward, update: 0 to 2
   */
  stages: NdArray<Uint8Array>;
  /**
   * [requests so far] the first moment without it; -1 while it is alive. It is born with its request
   */
  died: NdArray<Int32Array>;
  /**
   * [requests so far] bytes
   */
  asked: NdArray<Int32Array>;
  /**
   * [requests so far] its address in this pool, bytes
   */
  start: NdArray<Int32Array>;
  /**
   * [requests so far] bytes of the pool that nobody else can have meanwhile
   */
  held: NdArray<Int32Array>;
  /**
   * This request was served from what the pool had.
   */
  hit: boolean;
  /**
   * The end of the picture: the most that this pool or one that reuses memory reserves, bytes
   */
  top: number;
  policies: string[];
  /**
   * [pools] bytes that each has from the system by now
   */
  reserved: NdArray<Int32Array, ["policy"]>;
  /**
   * [pools] as often as the bound below
   */
  times: NdArray<Float32Array, ["policy"]>;
  /**
   * [pools] requests so far that each served from what it had
   */
  hits: NdArray<Int32Array, ["policy"]>;
  /**
   * Bytes alive after it
   */
  alive: number;
  /**
   * [requests so far] bytes that this pool has from the system after each
   */
  over_time: NdArray<Int32Array>;
  /**
   * The most bytes alive at once in the whole run: no pool can do with less
   */
  bound: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.policy": ["no reuse", "powers of two", "best fit", "arena"],
  "Picture.stage": ["forward", "backward", "update"],
} as const;

// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: State;
}
export interface Params {
  /**
   * written: those typed below; the others are made from the seed.
   */
  pattern: "mixed" | "short and long lives" | "every other" | "growing" | "written";
  /**
   * a40 asks for 40 bytes as a; -a frees them.
   */
  written: string;
  seed: number;
  requests: number;
  heap: number;
  /**
   * First hole that fits (next: from where the last search ended), the tightest, the largest.
   */
  policy: "first" | "next" | "best" | "worst";
  alignment: 1 | 8 | 16 | 32;
  /**
   * In front of each block, for its size.
   */
  header: number;
  /**
   * A smaller remainder stays with its block.
   */
  smallest: number;
  /**
   * Free blocks stay as they were cut.
   */
  never_merge: boolean;
}
/**
 * The heap after one request.
 */
export interface State {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "state";
  stage: "malloc" | "free" | "failed" | "start";
  heap: number;
  /**
   * [blocks] where each begins, bytes
   */
  starts: NdArray<Int32Array>;
  /**
   * [blocks] with header and padding, bytes
   */
  sizes: NdArray<Int32Array>;
  /**
   * [blocks] what its owner asked for; 0 where it is free
   */
  asked: NdArray<Int32Array>;
  /**
   * [blocks] empty where it is free
   */
  owners: string[];
  header: number;
  /**
   * The start of the block that was taken or freed; -1 if there is none.
   */
  chosen: number;
  /**
   * [free blocks] starts of those that the search looked at, in order
   */
  looked_at: NdArray<Int32Array>;
  free_bytes: number;
  largest_free: number;
  free_blocks: number;
  /**
   * The share of the free bytes that does not lie in the largest free block.
   */
  external: number;
  /**
   * The share of the used bytes that nobody asked for.
   */
  internal: number;
  /**
   * Requests so far that found no place.
   */
  failed: number;
  /**
   * Requests so far.
   */
  requests: number;
  /**
   * Free blocks looked at for each malloc so far, on average.
   */
  looks: number;
  /**
   * [requests so far + 1] bytes taken after each
   */
  used_over_time: NdArray<Int32Array>;
  /**
   * [requests so far + 1] bytes that their owners asked for
   */
  asked_over_time: NdArray<Int32Array>;
  /**
   * [requests so far + 1] the largest free block
   */
  largest_over_time: NdArray<Int32Array>;
  /**
   * Requests in the whole run.
   */
  steps: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.pattern": ["mixed", "short and long lives", "every other", "growing", "written"],
  "Params.policy": ["first", "next", "best", "worst"],
  "Params.alignment": [1, 8, 16, 32],
  "State.stage": ["malloc", "free", "failed", "start"],
} as const;

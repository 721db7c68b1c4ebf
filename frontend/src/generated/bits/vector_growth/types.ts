// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Push;
}
export interface Params {
  pushes: number;
  /**
   * libstdc++ doubles, MSVC adds half, CPython an eighth and a few.
   */
  growth: "double" | "half_more" | "a_few_more" | "python_list";
  /**
   * How many that choice adds.
   */
  more: number;
  reserve: number;
  /**
   * Takes &v[0] after the first push and keeps it.
   */
  keep_pointer: boolean;
}
/**
 * A push, or a part of one that has to grow. Addresses count items from the bottom of the heap.
 */
export interface Push {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "push";
  stage: "push" | "allocate" | "copy" | "free";
  /**
   * The item that is being pushed, counted from 0; before the first one −1.
   */
  item: number;
  /**
   * In the order of their addresses.
   */
  blocks: Block[];
  /**
   * The three pointers; None before there is a block.
   */
  begin: number | null;
  end: number | null;
  /**
   * The end of the capacity.
   */
  limit: number | null;
  /**
   * The pointer to item 0 that was kept.
   */
  pointer: number | null;
  /**
   * Whether it points to a block that was given back.
   */
  dangling: boolean;
  /**
   * Places of the heap up to the highest address that is in use at any time of the run.
   */
  heap: number;
  size: number;
  capacity: number;
  /**
   * Items copied so far, because blocks were left.
   */
  copies: number;
  /**
   * How often the vector has got another block, the first one not counted.
   */
  moves: number;
  /**
   * How many of its blocks lie where it had freed others before.
   */
  reused: number;
  /**
   * [size] items written by each push so far: itself, and the copies.
   */
  cost: NdArray<Int32Array>;
  /**
   * [size] items written a push, on average over the pushes up to each.
   */
  means: NdArray<Float32Array>;
  /**
   * The last of them, 0 before the first push.
   */
  mean: number;
}
/**
 * A stretch of the heap, in items.
 */
export interface Block {
  begin: number;
  size: number;
  items: number;
  state: "live" | "left" | "free";
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.growth": ["double", "half_more", "a_few_more", "python_list"],
  "Push.stage": ["push", "allocate", "copy", "free"],
  "Block.state": ["live", "left", "free"],
} as const;

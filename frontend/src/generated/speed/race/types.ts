// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  guard:
    | "nothing"
    | "lock"
    | "semaphore"
    | "atomic"
    | "compare_and_swap"
    | "two_locks_crosswise"
    | "two_locks_in_order";
  threads: 2 | 3;
  times: number;
  /**
   * A, B and C in order, such as AABB. A turn that a thread cannot take is skipped.
   */
  turns: string;
  /**
   * With one, it is a lock.
   */
  permits: number;
  /**
   * Lock, semaphore: only the store is guarded.
   */
  late: boolean;
  /**
   * Lock, semaphore: the thread ends while still holding it.
   */
  kept: boolean;
}
/**
 * The threads after some turns, and all that can still come of it.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "choose" | "right" | "lost" | "stuck";
  /**
   * The shared counter.
   */
  hits: number;
  /**
   * What it should be in the end.
   */
  wanted: number;
  /**
   * Whose turns it were so far.
   */
  turns: string;
  taken: Taken[];
  /**
   * The instructions of one round of each thread.
   */
  code: string[][];
  threads: Thread[];
  locks: Lock[];
  /**
   * [wanted + 1] ways to go on that end in a standstill; that end with the counter at 1, at 2, …
   */
  ends: NdArray<Float32Array>;
  /**
   * [wanted + 1] the same of all interleavings from the start
   */
  every: NdArray<Float32Array>;
  /**
   * All interleavings.
   */
  total: number;
  /**
   * Those that lose an update or come to a standstill.
   */
  wrong: number;
  /**
   * Turns of the wrong one that changes the thread least often; empty if none is wrong.
   */
  shortest: string;
  /**
   * [turns + 1, threads] instructions that each thread has behind it
   */
  path: NdArray<Int32Array>;
  /**
   * [A's instructions + 1, B's + 1] of the interleavings through here, the share that is wrong; NaN where none
   * comes; empty for three threads
   */
  share: NdArray<Float32Array>;
}
/**
 * A turn that was taken.
 */
export interface Taken {
  thread: string;
  did: string;
}
export interface Thread {
  name: string;
  at: number;
  round: number;
  register: number | null;
  state: "ready" | "waits" | "done";
  waits: string;
  right: number;
  wrong: number;
}
export interface Lock {
  name: string;
  admits: number;
  held: string[];
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.guard": [
    "nothing",
    "lock",
    "semaphore",
    "atomic",
    "compare_and_swap",
    "two_locks_crosswise",
    "two_locks_in_order",
  ],
  "Params.threads": [2, 3],
  "Picture.stage": ["choose", "right", "lost", "stuck"],
  "Thread.state": ["ready", "waits", "done"],
} as const;

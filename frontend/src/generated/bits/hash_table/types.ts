// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * Where a key goes if its slot is taken; direct addressing has none.
   */
  collisions: "direct" | "chaining" | "linear" | "quadratic" | "double" | "robin_hood";
  /**
   * k mod m; the fraction of k/φ, times m; ((a·k + b) mod p) mod m, a and b random.
   */
  hash: "division" | "multiplication" | "universal";
  /**
   * Multiples of 8; pages: of 4,096; sums of few powers of two; the last two are attacks.
   */
  keys:
    | "random"
    | "sequential"
    | "reversed"
    | "multiples"
    | "pages"
    | "powers"
    | "clustered"
    | "words"
    | "letters"
    | "zipf"
    | "against_division"
    | "against_multiplication";
  slots: number;
  load: number;
  /**
   * Start with 8 slots and double them at the limit.
   */
  grow: boolean;
  /**
   * How full the table may get before it grows.
   */
  limit: number;
  /**
   * A look at one slot, or a whole operation.
   */
  every: "probe" | "operation";
  /**
   * For the keys, and for a and b.
   */
  seed: number;
  /**
   * Open addressing: no tombstone is left.
   */
  no_tombstones: boolean;
  /**
   * Open addressing: the key is dropped without an error.
   */
  silent_when_full: boolean;
  /**
   * A key that is already there is stored again.
   */
  insert_blindly: boolean;
  /**
   * ((a·k + b) mod p) is not yet a slot.
   */
  no_last_mod: boolean;
  /**
   * Direct addressing: −2 is the last slot but one.
   */
  negative_index: boolean;
  /**
   * Words: ord() takes a single character, so a word raises a TypeError.
   */
  ord_of_key: boolean;
}
/**
 * The table after one probe or one operation. Entries are listed in the order of their slots.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "insert" | "grow" | "update" | "find" | "miss" | "delete" | "again" | "reuse" | "many";
  collisions: "direct" | "chaining" | "linear" | "quadratic" | "double" | "robin_hood";
  slots: number;
  /**
   * [entries] the keys as they are written
   */
  names: string[];
  /**
   * [entries] the slot of each
   */
  place: NdArray<Int32Array>;
  /**
   * [entries] the slot that the hash function names
   */
  home: NdArray<Int32Array>;
  /**
   * [entries] probes to find it
   */
  probes: NdArray<Int32Array>;
  /**
   * The most probes that any of them takes.
   */
  longest: number;
  /**
   * [tombstones] their slots
   */
  tombstones: NdArray<Int32Array>;
  /**
   * [slots] how many slots in a row are taken here, 0 at a free one; of a chain its length
   */
  runs: NdArray<Int32Array>;
  /**
   * The key of the operation.
   */
  key: string;
  /**
   * How its hash is found.
   */
  sum: string;
  /**
   * The slot that the hash names.
   */
  target: number | null;
  /**
   * [probes so far] the slots looked at by this operation
   */
  path: NdArray<Int32Array>;
  /**
   * [probes so far] the place in the chain
   */
  depths: NdArray<Int32Array>;
  outcome:
    | "looking"
    | "stored"
    | "updated"
    | "found"
    | "absent"
    | "removed"
    | "full"
    | "dropped"
    | "refused"
    | "compared";
  /**
   * False where a dict gives another answer.
   */
  right: boolean;
  /**
   * Wrong answers so far.
   */
  wrong: number;
  operations: number;
  /**
   * keys / slots
   */
  load: number;
  /**
   * [insertions] the load after each
   */
  at: NdArray<Float32Array>;
  /**
   * [insertions] mean probes to find a key
   */
  hit: NdArray<Float32Array>;
  /**
   * [insertions] mean probes for a key that is not there
   */
  miss: NdArray<Float32Array>;
  /**
   * [points] loads of the curves
   */
  axis: NdArray<Float32Array>;
  /**
   * [points] theory; NaN where it has no number
   */
  hit_expected: NdArray<Float32Array>;
  /**
   * [points]
   */
  miss_expected: NdArray<Float32Array>;
  /**
   * [counts] loads at which many tables were measured
   */
  many_at: NdArray<Float32Array> | null;
  /**
   * [counts] the mean over the tables
   */
  many_hit: NdArray<Float32Array, ["load"]> | null;
  /**
   * [counts]
   */
  many_miss: NdArray<Float32Array, ["load"]> | null;
  /**
   * theory at the last of these loads
   */
  many_hit_expected: number | null;
  many_miss_expected: number | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.collisions": ["direct", "chaining", "linear", "quadratic", "double", "robin_hood"],
  "Params.hash": ["division", "multiplication", "universal"],
  "Params.keys": [
    "random",
    "sequential",
    "reversed",
    "multiples",
    "pages",
    "powers",
    "clustered",
    "words",
    "letters",
    "zipf",
    "against_division",
    "against_multiplication",
  ],
  "Params.every": ["probe", "operation"],
  "Picture.stage": ["insert", "grow", "update", "find", "miss", "delete", "again", "reuse", "many"],
  "Picture.collisions": ["direct", "chaining", "linear", "quadratic", "double", "robin_hood"],
  "Picture.outcome": [
    "looking",
    "stored",
    "updated",
    "found",
    "absent",
    "removed",
    "full",
    "dropped",
    "refused",
    "compared",
  ],
} as const;

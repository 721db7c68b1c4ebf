// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Checked;
}
export interface Params {
  /**
   * forward and backward with ctx, and below them a tensor for each input.
   */
  program: string;
  draws: number;
  /**
   * For the random inputs.
   */
  seed: number;
}
/**
 * A written function, as far as it has been checked.
 */
export interface Checked {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "checked";
  stage:
    | "forward"
    | "backward"
    | "difference"
    | "compared"
    | "random"
    | "scaled"
    | "asked"
    | "twice"
    | "held"
    | "deleted"
    | "collected"
    | "changed"
    | "stopped";
  /**
   * Of the program, where the function that was called last ended
   */
  line: number;
  /**
   * Which random inputs are shown, from 1; 0 for those of the program
   */
  draw: number;
  /**
   * [columns] the inputs
   */
  at: string[];
  /**
   * [samples] inputs of the curves
   */
  grid: NdArray<Float32Array>;
  /**
   * [curves, samples] an output against the input of the same number
   */
  curves: NdArray<Float32Array>;
  /**
   * Of the values that are drawn
   */
  low: number;
  high: number;
  points: Point[];
  tiles: Tiles;
  /**
   * [columns] whether the gradient of that input was asked for
   */
  asked: boolean[];
  /**
   * Whether the tiles are second derivatives
   */
  second: boolean;
  /**
   * How many entries differ
   */
  wrong: number;
  entries: number;
  checks: Check[];
  lives: Life[];
  /**
   * Bytes of the storages that are alive
   */
  alive: number;
  /**
   * What torch said instead of going on
   */
  error: string;
}
/**
 * A place on a curve where backward was asked.
 */
export interface Point {
  key: string;
  draw: number;
  x: number;
  y: number;
  asked: boolean;
  claimed: number;
  measured: number;
  state: "waiting" | "right" | "wrong" | "kink";
}
/**
 * A Jacobian twice.
 */
export interface Tiles {
  rows: string[];
  columns: string[];
  claimed: string[][];
  measured: string[][];
  wrong: boolean[][];
}
/**
 * One question, and what came of it.
 */
export interface Check {
  name: string;
  state: "waiting" | "passes" | "fails";
  says: string;
}
/**
 * A storage, and whether it is alive.
 */
export interface Life {
  name: string;
  bytes: number;
  holders: string[];
  alive: boolean;
  changed: "" | "noticed" | "harmless" | "wrong";
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Checked.stage": [
    "forward",
    "backward",
    "difference",
    "compared",
    "random",
    "scaled",
    "asked",
    "twice",
    "held",
    "deleted",
    "collected",
    "changed",
    "stopped",
  ],
  "Check.state": ["waiting", "passes", "fails"],
  "Life.changed": ["", "noticed", "harmless", "wrong"],
  "Point.state": ["waiting", "right", "wrong", "kink"],
} as const;

// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * Tensors, operators, in-place changes, short loops and functions, as in PyTorch.
   */
  source: string;
}
/**
 * The tape after a line, or at one step of a walk back.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "forward" | "backward" | "done" | "stopped";
  /**
   * That was executed, or that walks back.
   */
  line: number;
  /**
   * What can be walked to, in the order in which it was written.
   */
  records: Record[];
  tensors: Named[];
  /**
   * Names that are too many to be drawn.
   */
  hidden: number;
  /**
   * The operation of this step, by its number; 0 if this is the picture after a line.
   */
  now: number;
  /**
   * In tensors that have a name.
   */
  named_bytes: number;
  /**
   * For the way back, even if a name keeps them, too.
   */
  saved_bytes: number;
  /**
   * The most that was saved at once so far.
   */
  most_saved_bytes: number;
  /**
   * That nothing but the tape keeps alive.
   */
  tape_bytes: number;
  /**
   * In .grad.
   */
  gradient_bytes: number;
  /**
   * In gradients on their way.
   */
  flowing_bytes: number;
  /**
   * The most of all four together so far.
   */
  peak_bytes: number;
  forward_operations: number;
  backward_operations: number;
  /**
   * Numbers made, each by an addition, a multiplication or the like.
   */
  forward_arithmetic: number;
  backward_arithmetic: number;
  output: string;
  /**
   * Rows that the fullest picture of this run needs for the tape, and for names.
   *
   * @minItems 2
   * @maxItems 2
   */
  room: [number, number];
  /**
   * The most of all bytes at once in this run.
   */
  most_bytes: number;
  trouble: Trouble | null;
  /**
   * In the last picture: each leaf that has a gradient.
   */
  checks: Checked[];
}
export interface Record {
  number: number;
  name: string;
  line: number;
  shape: number[];
  makes: string;
  leaf: boolean;
  edges: number[];
  saved: Saved[];
  bytes: number;
  released: boolean;
  hooks: number;
  why: string;
  state: "" | "new" | "waiting" | "now" | "passed";
  gradient: Grid | null;
  shares: (Grid | null)[];
}
export interface Saved {
  of: string;
  values: Grid | null;
  storage: number;
  version: number;
  now: number;
  bytes: number;
  alone: boolean;
  again: boolean;
}
/**
 * The first numbers of a tensor.
 */
export interface Grid {
  shape: number[];
  dtype: string;
  rows: (number | string)[][];
  more: number;
}
export interface Named {
  name: string;
  values: Grid;
  strides: number[];
  offset: number;
  storage: number;
  version: number;
  bytes: number;
  shared: string[];
  wants: boolean;
  leaf: boolean;
  origin: number;
  grad: Grid | null;
  change: "" | "new" | "written" | "grad";
}
/**
 * What the library refused.
 */
export interface Trouble {
  says: string;
  line: number;
  record: number;
}
/**
 * A gradient, and what moving each number a little says of it.
 */
export interface Checked {
  name: string;
  tape: Grid | null;
  moved: Grid | null;
  agree: boolean | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Picture.stage": ["forward", "backward", "done", "stopped"],
  "Named.change": ["", "new", "written", "grad"],
  "Record.state": ["", "new", "waiting", "now", "passed"],
} as const;

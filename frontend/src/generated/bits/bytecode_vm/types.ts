// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Step;
}
export interface Params {
  /**
   * Functions, loops, lists, dictionaries, text; no classes and no imports.
   */
  source: string;
}
/**
 * After one instruction.
 */
export interface Step {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "step";
  /**
   * The function that it belongs to.
   */
  stage: string;
  /**
   * Version of the Python whose instructions these are.
   */
  python: string;
  source: string;
  /**
   * Names of the instructions of this function.
   */
  instructions: string[];
  arguments: string[];
  /**
   * [instructions] bytes from the beginning
   */
  offsets: NdArray<Int32Array>;
  /**
   * [instructions, 4] line, column, last line, column after the last; lines from 1, columns from 0
   */
  spans: NdArray<Int32Array, ["instruction", "edge"]>;
  /**
   * [instructions] where a jump leads, as a place in this list; else -1
   */
  targets: NdArray<Int32Array>;
  /**
   * The instruction just executed, as a place in this list.
   */
  at: number;
  calls: Open[];
  /**
   * Whose instruction it was, as a place in ``calls``; ``calls`` ends before it if that call just returned.
   */
  depth: number;
  /**
   * What it took off the stack, the topmost last.
   */
  taken: Value[];
  /**
   * How many of the topmost values it put there.
   */
  put: number;
  output: string;
  executed: number;
  outcome: "" | "ended" | "raised" | "stopped";
}
/**
 * A call that has not returned; the first is the program itself.
 */
export interface Open {
  name: string;
  line: number;
  names: string[];
  values: Value[];
  stack: Value[];
}
export interface Value {
  text: string;
  type: string;
  object: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Step.outcome": ["", "ended", "raised", "stopped"] } as const;

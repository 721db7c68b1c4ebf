// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Stage | Worth | Calls;
}
export interface Params {
  program:
    | "chain"
    | "branch"
    | "dimensions"
    | "softmax"
    | "layer_norm"
    | "attention"
    | "mlp"
    | "halves"
    | "talks"
    | "in_place"
    | "custom"
    | "quantized"
    | "conv_norm";
  rows: number;
  columns: number;
  other: number;
  /**
   * The program is run forward and backward.
   */
  gradients: boolean;
  /**
   * Whether a compilation may leave sizes open: the argument dynamic.
   */
  dynamic: "when they change" | "always" | "never";
}
/**
 * One stage, beside the one that it was made from.
 */
export interface Stage {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * The program.
   */
  source: string[];
  /**
   * What Dynamo has seen of it so far.
   */
  operations: Operation[];
  kind: "stage";
  stage: string;
  title: string;
  /**
   * Which graph of the program, which compilation of it, which way; empty for the whole.
   */
  part: string;
  rows: Row[];
  /**
   * The title of the stage beside.
   */
  before: string;
  earlier: Row[];
  /**
   * Since the call, that this has taken.
   */
  seconds: number;
}
/**
 * One operation that Dynamo has seen, and its line, counted from the function's first.
 */
export interface Operation {
  name: string;
  line: number;
}
/**
 * A line of a stage.
 */
export interface Row {
  text: string;
  operations: number[];
  line: number;
  head: boolean;
}
/**
 * What was compiled against what was not.
 */
export interface Worth {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * The program.
   */
  source: string[];
  /**
   * What Dynamo has seen of it so far.
   */
  operations: Operation[];
  kind: "worth";
  stage: string;
  eager_ms: number;
  compiled_ms: number;
  speedup: number;
  /**
   * Of the first call.
   */
  compile_seconds: number;
  /**
   * Calls until the compilation has paid for itself; None if it never does.
   */
  pays_after: number | null;
  /**
   * What PyTorch calls, views left out.
   */
  eager_kernels: number;
  /**
   * What Inductor calls in the first compilation: its own, and those of libraries.
   */
  kernels: number;
  eager_bytes: number;
  bytes: number;
  /**
   * That the first call was cut into.
   */
  graphs: number;
  /**
   * The largest between the two results, over the largest number in them.
   */
  difference: number;
  compiler: string;
}
/**
 * Calls with other shapes, one after the other.
 */
export interface Calls {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  /**
   * The program.
   */
  source: string[];
  /**
   * What Dynamo has seen of it so far.
   */
  operations: Operation[];
  kind: "calls";
  stage: string;
  calls: Call[];
  compiled: number;
  limit: number;
}
export interface Call {
  rows: number;
  done: string;
  why: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": [
    "chain",
    "branch",
    "dimensions",
    "softmax",
    "layer_norm",
    "attention",
    "mlp",
    "halves",
    "talks",
    "in_place",
    "custom",
    "quantized",
    "conv_norm",
  ],
  "Params.dynamic": ["when they change", "always", "never"],
} as const;

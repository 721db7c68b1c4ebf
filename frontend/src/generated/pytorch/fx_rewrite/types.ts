// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Drawn;
}
export interface Params {
  program: "block" | "second_user" | "shared_conv" | "gate" | "equal_terms" | "in_place" | "noise" | "branch";
  /**
   * Fold batch norm into the convolution, write y · sigmoid(y) as silu, take dropout out, or compute once what is written twice.
   */
  rewrite: "fold" | "silu" | "dropout" | "merge";
  /**
   * Ours, with its guards or (careless) without them; or the pass that PyTorch ships.
   */
  by: "guarded" | "careless" | "PyTorch";
  training: boolean;
  capture: "symbolic_trace" | "torch.compile";
  dtype: "float32" | "bfloat16";
  seed: number;
}
/**
 * A graph at one step of its rewriting.
 */
export interface Drawn {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "drawn";
  stage: "traced" | "refused" | "matched" | "rewritten" | "failed" | "checked";
  /**
   * The program
   */
  source: string[];
  /**
   * Of the program, where the shown step comes from; 0 if from none
   */
  line: number;
  nodes: Box[];
  edges: Edge[];
  graphs: Extent[];
  /**
   * The nodes that the step is about
   */
  now: string[];
  /**
   * The last of them as FX writes it: its op, target and arguments
   */
  about: string;
  /**
   * Of the match that was looked at last
   */
  guards: Guard[];
  /**
   * What PyTorch said when it stopped; empty if it did not
   */
  message: string;
  /**
   * The Python that FX writes for the graphs; empty as long as they grow
   */
  code: string[];
  /**
   * [channels, 27] of the convolution, as the graph has it; empty if nothing is folded
   */
  weights: NdArray<Float32Array>;
  /**
   * [channels] its bias
   */
  offsets: NdArray<Float32Array>;
  /**
   * [channels] what batch norm multiplies each channel by
   */
  factors: NdArray<Float32Array>;
  /**
   * The largest weight that there can be here
   */
  span: number;
  /**
   * Operators that a call of the module runs, before and after; empty until checked
   */
  calls: number[];
  /**
   * Bytes that they read and write for an input of 216 numbers, before and after; empty until checked
   */
  moved: number[];
  /**
   * [inputs] the largest number in each; empty until checked
   */
  sizes: NdArray<Float32Array>;
  /**
   * [inputs] the largest difference between both results
   */
  differences: NdArray<Float32Array>;
  /**
   * [inputs] what rounding allows where that difference is
   */
  bounds: NdArray<Float32Array>;
  /**
   * The largest number of any result of the module
   */
  largest: number;
  /**
   * The largest difference over its bound, of all numbers of all results
   */
  worst: number;
  verdict: "" | "equal" | "within" | "wrong";
}
/**
 * A node of the graph.
 */
export interface Box {
  name: string;
  says: string;
  sort: "input" | "weights" | "module" | "function" | "output";
  line: number;
  column: number;
  row: number;
  graph: number;
  into: string;
  source: string;
}
/**
 * A value on its way from the node that makes it to one that reads it.
 */
export interface Edge {
  source: string;
  target: string;
}
/**
 * The room that a graph takes, from its first picture on.
 */
export interface Extent {
  columns: number;
  rows: number;
}
/**
 * A condition under which a rewrite keeps the result.
 */
export interface Guard {
  asks: string;
  holds: boolean;
  why: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": [
    "block",
    "second_user",
    "shared_conv",
    "gate",
    "equal_terms",
    "in_place",
    "noise",
    "branch",
  ],
  "Params.rewrite": ["fold", "silu", "dropout", "merge"],
  "Params.by": ["guarded", "careless", "PyTorch"],
  "Params.capture": ["symbolic_trace", "torch.compile"],
  "Params.dtype": ["float32", "bfloat16"],
  "Drawn.stage": ["traced", "refused", "matched", "rewritten", "failed", "checked"],
  "Drawn.verdict": ["", "equal", "within", "wrong"],
  "Box.sort": ["input", "weights", "module", "function", "output"],
} as const;

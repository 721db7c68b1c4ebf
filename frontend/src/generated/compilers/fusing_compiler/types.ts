// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A function of tensors: each parameter has a type and a shape, such as f32[1024, 64].
   */
  program: string;
  /**
   * Compile the gradients of all inputs, too, together with the program.
   */
  backward: boolean;
  /**
   * By predicted cost; or whatever can be joined; or nothing.
   */
  fusion: "cost" | "greedy" | "none";
  /**
   * The cache that a core has to itself.
   */
  cache: 32 | 256 | 1024 | 4096;
  threads: number;
  /**
   * Follow the loops, address by address, through a simulated cache.
   */
  count: boolean;
  /**
   * Sums of columns are added up row by row, in the order of memory.
   */
  rows_first: boolean;
  /**
   * Their side, where one tensor is read along rows and another across them; 0 is none.
   */
  tile: 0 | 8 | 16 | 32 | 64;
  /**
   * The width of a vector instruction; 0 is none.
   */
  width: 0 | 16 | 32 | 64;
  /**
   * In sums, whose additions would otherwise wait for one another.
   */
  unroll: 1 | 2 | 4;
  /**
   * What no output needs is not computed.
   */
  dead_code: boolean;
  /**
   * Equal operations become one.
   */
  common: boolean;
  /**
   * What is known already is computed now.
   */
  constants: boolean;
  /**
   * Operations that change nothing, or cost more than they need to.
   */
  identities: boolean;
  /**
   * Casts there and back again.
   */
  casts: boolean;
  /**
   * Transposes that cancel are removed.
   */
  transposes: boolean;
  /**
   * What is repeated is computed before it is repeated.
   */
  broadcasts: boolean;
  /**
   * Formulas that another formula computes better.
   */
  patterns: boolean;
  /**
   * Laws of the real numbers, which floats do not obey.
   */
  fast_math: boolean;
  /**
   * Whatever axis the program names; look at columns.
   */
  last_axis: boolean;
}
/**
 * The graph, and what is made of it at this step.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage:
    | "graph"
    | "backward"
    | "rewrite"
    | "fusion"
    | "loops"
    | "rows first"
    | "tiles"
    | "vectors"
    | "C"
    | "CUDA"
    | "counted";
  /**
   * Of the program, that this is about; 0 if none.
   */
  line: number;
  rows: Row[];
  work: Work;
  before: Work1;
  rule: Rule | null;
  joint: Joint | null;
  /**
   * What a pass over the loops did.
   */
  changes: string[];
  kernels: Kernel[];
  /**
   * The file, of C or of CUDA.
   */
  written: Code[];
}
/**
 * A node of the graph; numbers of the program are written where they are used.
 */
export interface Row {
  number: number;
  name: string;
  text: string;
  type: string;
  line: number;
  uses: number[];
  change: "same" | "new" | "changed" | "gone";
  kernel: number;
  output: boolean;
  view: boolean;
}
/**
 * Predicted for all, as it is now: until the fusion as if each operation were a kernel.
 */
export interface Work {
  bytes: number;
  operations: number;
}
/**
 * And one step before; of the first loops before the fusion.
 */
export interface Work1 {
  bytes: number;
  operations: number;
}
/**
 * A rewrite: this formula became that.
 */
export interface Rule {
  name: string;
  why: string;
  group: string;
  before: string;
  after: string;
}
/**
 * A decision about two kernels, and what is predicted for both ways.
 */
export interface Joint {
  first: string;
  second: string;
  joined: boolean;
  why: string;
  reason: string;
  apart: Work2;
  together: Work2 | null;
}
/**
 * Predicted.
 */
export interface Work2 {
  bytes: number;
  operations: number;
}
export interface Kernel {
  name: string;
  work: Work2;
  code: Code[];
}
/**
 * A line of loops, of C or of CUDA.
 */
export interface Code {
  text: string;
  depth: number;
  row: number;
  line: number;
  new: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.fusion": ["cost", "greedy", "none"],
  "Params.cache": [32, 256, 1024, 4096],
  "Params.tile": [0, 8, 16, 32, 64],
  "Params.width": [0, 16, 32, 64],
  "Params.unroll": [1, 2, 4],
  "Picture.stage": [
    "graph",
    "backward",
    "rewrite",
    "fusion",
    "loops",
    "rows first",
    "tiles",
    "vectors",
    "C",
    "CUDA",
    "counted",
  ],
  "Row.change": ["same", "new", "changed", "gone"],
} as const;

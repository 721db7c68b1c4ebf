// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * The kernel that makes this value of the program.
   */
  follow: "n" | "qkv" | "a" | "y" | "m" | "u" | "out";
  /**
   * Their side in every product, or what the search predicts to be fastest.
   */
  tile: "search" | "16" | "32" | "64" | "128";
  /**
   * By predicted cost, or one kernel for every operation.
   */
  fusion: "cost" | "none";
  /**
   * Rows of the input; where tiles do not divide them, kernels get guards.
   */
  tokens: number;
  /**
   * From the published figures of this GPU.
   */
  gpu: "H100" | "H200" | "A100" | "RTX 4090";
  /**
   * On a GPU, the kernels are also timed.
   */
  device: "cpu" | "cuda";
  seed: number;
  /**
   * The blocks of one kernel cannot wait for each other, so all of it runs as a single block.
   */
  everything: boolean;
  /**
   * On a GPU: read the host's clock as soon as the kernel has been launched.
   */
  no_wait: boolean;
}
/**
 * The block on its way to a GPU.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage:
    | "graph"
    | "fusion"
    | "loops"
    | "search"
    | "CUDA"
    | "PTX"
    | "SASS"
    | "fits"
    | "checked"
    | "predicted"
    | "tiles"
    | "measured";
  program: string[];
  /**
   * Of the program, that this is about; 0 for none
   */
  line: number;
  ops: Op[];
  kernels: Kernel[];
  /**
   * Place of the kernel that is followed
   */
  follow: number;
  /**
   * Numbers of the operations that a decision is about
   */
  touched: number[];
  /**
   * Whether it was a refusal
   */
  refused: boolean;
  rows: Row[];
  /**
   * Of the whole listing of the kernel that is followed
   */
  lines: number;
  counts: Count[];
  branches: Branch[];
  limits: Limit[];
  /**
   * Seconds of all kernels
   */
  predicted: number | null;
  /**
   * Seconds of all products at the published speed of the chosen GPU
   */
  floor: number;
  /**
   * Bytes that all kernels read and write, each tensor once in a kernel
   */
  moved: number;
  /**
   * Seconds of all kernels, one after the other
   */
  measured: number | null;
  /**
   * How many times as long as the fastest tile that was measured the predicted one takes
   */
  behind: number | null;
  ways: Way[];
  /**
   * Measured kernels that would be faster than the hardware, and are refused
   */
  impossible: string[];
  /**
   * Whether all kernels are one
   */
  together: boolean;
  /**
   * The one that times are predicted for
   */
  gpu: string;
  /**
   * The one that was measured on; nothing if none was
   */
  on: string;
}
/**
 * An operation of the graph that is work of its own.
 */
export interface Op {
  number: number;
  op: string;
  line: number;
  kernel: number;
}
/**
 * Of the kernels so far: until the fusion is over, each group of operations is one.
 */
export interface Kernel {
  key: number;
  name: string;
  value: string;
  tile: number[];
  blocks: number;
  bytes: number;
  fetched: number;
  operations: number;
  predicted: number | null;
  floor: number;
  registers: number;
  shared: number;
  spilled: number;
  resident: number;
  error: number | null;
  measured: number | null;
}
/**
 * A line of a listing.
 */
export interface Row {
  text: string;
  op: number;
  more: number;
}
export interface Count {
  name: string;
  count: number;
}
/**
 * A choice of the search.
 */
export interface Branch {
  key: number;
  parent: number;
  level: "rows" | "columns" | "depth";
  size: number;
  state: "open" | "cut" | "tried" | "best";
  bound: number;
  seconds: number | null;
  measured: number | null;
}
/**
 * What one multiprocessor has, and how many blocks that is enough for.
 */
export interface Limit {
  name: "warps" | "registers" | "shared memory" | "tensor memory" | "blocks";
  needs: number;
  has: number;
  blocks: number;
}
/**
 * A whole block, measured.
 */
export interface Way {
  name: string;
  says: string;
  seconds: number;
  ratio: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.follow": ["n", "qkv", "a", "y", "m", "u", "out"],
  "Params.tile": ["search", "16", "32", "64", "128"],
  "Params.fusion": ["cost", "none"],
  "Params.gpu": ["H100", "H200", "A100", "RTX 4090"],
  "Params.device": ["cpu", "cuda"],
  "Picture.stage": [
    "graph",
    "fusion",
    "loops",
    "search",
    "CUDA",
    "PTX",
    "SASS",
    "fits",
    "checked",
    "predicted",
    "tiles",
    "measured",
  ],
  "Branch.level": ["rows", "columns", "depth"],
  "Branch.state": ["open", "cut", "tried", "best"],
  "Limit.name": ["warps", "registers", "shared memory", "tensor memory", "blocks"],
} as const;

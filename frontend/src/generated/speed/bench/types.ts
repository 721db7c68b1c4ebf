// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Dots;
}
export interface Params {
  /**
   * Three loops, a column of B in the innermost.
   */
  ijk: boolean;
  /**
   * The same, a row of B in the innermost.
   */
  ikj: boolean;
  /**
   * Squares that fit in a cache.
   */
  tiled: boolean;
  /**
   * A and B copied into the order of reading, a tile of C in registers: our best.
   */
  packed: boolean;
  /**
   * Whatever BLAS it came with.
   */
  numpy: boolean;
  /**
   * Whatever BLAS it came with.
   */
  torch: boolean;
  /**
   * A thread for each number, a warp down a column.
   */
  naive: boolean;
  /**
   * The same, a warp along a row.
   */
  coalesced: boolean;
  /**
   * Tiles in shared memory.
   */
  shared: boolean;
  /**
   * 8 × 8 numbers in the registers of a thread.
   */
  registers: boolean;
  /**
   * Four numbers in each read.
   */
  vectors: boolean;
  /**
   * Copies two slabs ahead: our best in CUDA C.
   */
  pipelined: boolean;
  /**
   * Tiles of 16 × 16 on tensor cores, in bf16: our own.
   */
  wmma: boolean;
  /**
   * Tiles of 64 × 256 out of shared memory, on Hopper, in bf16: our own.
   */
  wgmma: boolean;
  /**
   * A tile in Triton, on tensor cores where the precision has them.
   */
  triton: boolean;
  /**
   * NVIDIA’s library.
   */
  cublas: boolean;
  /**
   * Rows and columns: at most 12 numbers, separated by commas.
   */
  sizes: string;
  /**
   * fp32, fp64 and bf16 on a processor; fp32, tf32 and bf16 on a GPU.
   */
  precision: "fp32" | "fp64" | "tf32" | "bf16";
  /**
   * For the kernels that can share the work.
   */
  threads: number;
  repetitions: number;
  seed: number;
  device: "cpu" | "cuda";
}
/**
 * A roof is measured, or one more kernel with one more size.
 */
export interface Dots {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "dots";
  /**
   * What was measured just now
   */
  stage: string;
  /**
   * In the order of the rows below
   */
  kernels: (
    | "ijk"
    | "ikj"
    | "tiled"
    | "packed"
    | "NumPy"
    | "torch"
    | "naive"
    | "coalesced"
    | "shared"
    | "registers"
    | "vectors"
    | "pipelined"
    | "Triton fp32"
    | "cuBLAS fp32"
    | "Triton tf32"
    | "cuBLAS tf32"
    | "WMMA bf16"
    | "WGMMA bf16"
    | "Triton bf16"
    | "cuBLAS bf16"
  )[];
  /**
   * [kernels] threads of the processor that it used
   */
  cores: number[];
  /**
   * Kernels that were chosen and cannot multiply this precision
   */
  left_out: string[];
  /**
   * Rows and columns
   */
  sizes: number[];
  /**
   * [kernels, sizes, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN if unmeasured
   */
  speed: NdArray<Float32Array, ["kernel", "size", "quartile"]>;
  /**
   * [kernels, sizes] largest difference from float64, as a share of the sum without signs
   */
  error: NdArray<Float32Array, ["kernel", "size"]>;
  /**
   * [sizes] what rounding can make of that at most
   */
  bound: NdArray<Float32Array, ["size"]>;
  /**
   * [sizes] operations for each byte that has to be read or written at least once
   */
  intensity: NdArray<Float32Array, ["size"]>;
  /**
   * [2] GFLOP/s of multiply-adds in registers, on one thread and on all that were chosen; NaN where not known
   */
  peaks: NdArray<Float32Array, ["threads"]>;
  /**
   * [2] GB/s that all of them read: from memory, and from a cache; NaN where not known
   */
  bandwidths: NdArray<Float32Array, ["of"]>;
  precision: string;
  threads: number;
  repetitions: number;
  device: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.precision": ["fp32", "fp64", "tf32", "bf16"],
  "Params.device": ["cpu", "cuda"],
  "Dots.kernels": [
    "ijk",
    "ikj",
    "tiled",
    "packed",
    "NumPy",
    "torch",
    "naive",
    "coalesced",
    "shared",
    "registers",
    "vectors",
    "pipelined",
    "Triton fp32",
    "cuBLAS fp32",
    "Triton tf32",
    "cuBLAS tf32",
    "WMMA bf16",
    "WGMMA bf16",
    "Triton bf16",
    "cuBLAS bf16",
  ],
} as const;

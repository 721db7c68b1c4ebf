// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Road;
}
export interface Params {
  op: "scale_add" | "relu_squared" | "sum_squares";
  n: 16 | 1024 | 65536;
  /**
   * Where the torch functions that the source calls are declared.
   */
  headers: "the C shim" | "declarations of our own";
  level: "-O0" | "-O2";
  /**
   * Whether the loader looks up functions at once, or each when it is first called.
   */
  binding: "now" | "lazy";
  repetitions: number;
  unchecked_type: boolean;
  unchecked_strides: boolean;
  wrong_key: boolean;
  argument: boolean;
  undefined: boolean;
  unlinked: boolean;
}
/**
 * The extension has come one station further.
 */
export interface Road {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "road";
  /**
   * source, a station, symbols, check, time or headers
   */
  stage: string;
  /**
   * [lines] without headers; empty once there is a library
   */
  source: string[];
  /**
   * The headers: where the functions of torch are declared; empty once there is a library
   */
  includes: string;
  compiler: string;
  stations: string[];
  /**
   * [stations] waiting, done or failed
   */
  state: string[];
  /**
   * [stations] NaN until it was there
   */
  seconds: NdArray<Float32Array, ["station"]>;
  /**
   * [stations] as it was typed; empty until then
   */
  command: string[];
  /**
   * [stations] what compiler, linker, loader or torch printed then; empty if nothing
   */
  output: string[];
  /**
   * Lines with code that the preprocessor made of the file; 0 until then
   */
  lines: number;
  /**
   * Bytes of that
   */
  bytes: number;
  /**
   * Symbols that others have to define, as C++ writes them; from the object file on
   */
  needed: string[];
  /**
   * [needed] the library that does; empty if none, or as long as nobody has looked
   */
  provider: string[];
  /**
   * [needed] whether the loader has written down its address, as read from the memory of the process
   */
  bound: boolean[];
  /**
   * Symbols that the extension defines for others, as C++ writes them
   */
  provided: string[];
  /**
   * That the library asks the loader for
   */
  libraries: string[];
  /**
   * Bytes of the library
   */
  size: number;
  /**
   * Schema and kernels of the operator, as torch tells them once the library is loaded
   */
  registered: string[];
  /**
   * What the road ends with instead: of compiler, loader or torch
   */
  error: string;
  checks: Check[];
  /**
   * [ways, 3] nanoseconds of one call; NaN until measured
   */
  ways: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [parts, 3] nanoseconds of the extension's call; what is unexplained is a difference, and may be below 0
   */
  parts: NdArray<Float32Array, ["part", "quartile"]>;
  /**
   * Whose size was taken, each alone
   */
  headers: string[];
  /**
   * [headers] lines with code after preprocessing
   */
  header_lines: NdArray<Int32Array, ["header"]>;
  header_bytes: NdArray<Int32Array, ["header"]>;
  /**
   * [headers] to preprocess
   */
  header_seconds: NdArray<Float32Array, ["header"]>;
}
/**
 * What the operator made of one kind of tensor.
 */
export interface Check {
  name: string;
  outcome: string;
  expected: string;
  got: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.op": ["scale_add", "relu_squared", "sum_squares"],
  "Params.n": [16, 1024, 65536],
  "Params.headers": ["the C shim", "declarations of our own"],
  "Params.level": ["-O0", "-O2"],
  "Params.binding": ["now", "lazy"],
} as const;

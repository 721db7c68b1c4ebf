// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  left:
    | "bool"
    | "uint8"
    | "int8"
    | "uint16"
    | "int16"
    | "uint32"
    | "int32"
    | "uint64"
    | "int64"
    | "float16"
    | "float32"
    | "float64"
    | "complex64"
    | "complex128";
  /**
   * An array, one without dimensions, or a Python number.
   */
  left_as: "array" | "0-d" | "number";
  left_value: string;
  right:
    | "bool"
    | "uint8"
    | "int8"
    | "uint16"
    | "int16"
    | "uint32"
    | "int32"
    | "uint64"
    | "int64"
    | "float16"
    | "float32"
    | "float64"
    | "complex64"
    | "complex128";
  right_as: "array" | "0-d" | "number";
  right_value: string;
  /**
   * Cells where the other library differs are marked.
   */
  table: "PyTorch" | "NumPy";
}
/**
 * All that is known is in every picture; ``stage`` says how far the story has come.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "left" | "right" | "pytorch" | "numpy" | "convert" | "sum" | "table";
  left: Bits;
  right: Bits;
  left_as: "array" | "0-d" | "number";
  right_as: "array" | "0-d" | "number";
  /**
   * The type by which the left one is held; of a number of Python's, its own has another name.
   */
  left_held: string;
  right_held: string;
  types: string[];
  /**
   * [steps, 2] places in ``types``: the second holds all that the first holds, and no type lies between them
   */
  above: NdArray<Int32Array, ["step", "end"]>;
  /**
   * The sum of the two values, without rounding.
   */
  exact: string;
  answers: Answer[];
  /**
   * Types on the left; of Python's numbers there are four.
   */
  rows: string[];
  columns: string[];
  row: number;
  column: number;
  /**
   * [rows × columns] empty where it refuses
   */
  pytorch: string[];
  /**
   * [rows × columns]
   */
  numpy: string[];
  /**
   * Cells in which the libraries say different things.
   */
  differ: number;
}
/**
 * A value as it is stored.
 */
export interface Bits {
  type: string;
  value: string;
  bits: string;
  fields: number[];
  lost: string;
}
/**
 * What a library makes of the sum.
 */
export interface Answer {
  library: "PyTorch" | "NumPy";
  type: string;
  why: string;
  left: Bits | null;
  right: Bits | null;
  sum: Bits | null;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.left": [
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
  ],
  "Params.left_as": ["array", "0-d", "number"],
  "Params.right": [
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
  ],
  "Params.right_as": ["array", "0-d", "number"],
  "Params.table": ["PyTorch", "NumPy"],
  "Picture.stage": ["left", "right", "pytorch", "numpy", "convert", "sum", "table"],
  "Picture.left_as": ["array", "0-d", "number"],
  "Picture.right_as": ["array", "0-d", "number"],
  "Answer.library": ["PyTorch", "NumPy"],
} as const;

// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Walk;
}
export interface Params {
  op: "add" | "add_" | "matmul" | "conv2d" | "relu" | "view" | "sum" | "clone" | "softmax" | "empty";
  tensor: "dense" | "sparse" | "meta";
  grad: boolean;
  mode: "grad" | "no_grad" | "inference_mode";
  /**
   * On the CPU, to bfloat16.
   */
  autocast: boolean;
  /**
   * Python code that sees every operator below autograd.
   */
  watched: boolean;
  /**
   * The call is written for one x, and made for a batch of three.
   */
  vmap: boolean;
}
/**
 * The call has come one key further.
 */
export interface Walk {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "walk";
  /**
   * The key that has its turn; "set" before the first, "result" after the last
   */
  stage: string;
  /**
   * The call, as Python
   */
  line: string;
  /**
   * With its overload, as torch registers it
   */
  operator: string;
  /**
   * The key set, the highest priority first
   */
  keys: string[];
  /**
   * [keys] who brought it
   */
  origin: string[];
  /**
   * [keys] whether the thread takes it from the set of every call
   */
  excluded: boolean[];
  /**
   * [keys] waiting, excluded, falls through, ran, no kernel, not reached
   */
  state: string[];
  /**
   * [keys] where what runs at that key was registered: file and line in torch's sources; empty if nothing is
   */
  kernel: string[];
  /**
   * [keys] as what, in torch's words
   */
  registered: string[];
  /**
   * [keys] whether what runs there gets its arguments on a stack, as a kernel for any operator does
   */
  boxed: boolean[];
  /**
   * Which of the keys has its turn; -1 before the first, and their number after the last
   */
  at: number;
  /**
   * The operators that the call came to below autograd, once it was made
   */
  reached: string[];
  /**
   * Of the result, once there is one
   */
  dtype: string;
  /**
   * The result's node in the graph, if it has one
   */
  grad_fn: string;
  /**
   * What torch said instead of a result
   */
  error: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.op": ["add", "add_", "matmul", "conv2d", "relu", "view", "sum", "clone", "softmax", "empty"],
  "Params.tensor": ["dense", "sparse", "meta"],
  "Params.mode": ["grad", "no_grad", "inference_mode"],
} as const;

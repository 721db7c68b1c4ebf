// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A value or formula on each line, the result last: + − * / **, brackets, tanh(x) and others.
   */
  program: string;
  /**
   * Such as x = 2, w = -1, in place of the values in the expression.
   */
  moved: string;
  /**
   * Of several shares, only the last is kept.
   */
  overwrite: boolean;
}
/**
 * The graph, and all that is known of it so far.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "inputs" | "forward" | "backward" | "check";
  /**
   * Of each node; v with a number where the reader gave none.
   */
  names: string[];
  /**
   * The operation of each node; empty for inputs.
   */
  signs: string[];
  /**
   * How each node is computed; {3} stands for node 3.
   */
  formulas: string[];
  /**
   * Where each node is drawn, along the way forwards.
   */
  layers: number[];
  /**
   * And across.
   */
  slots: number[];
  /**
   * Of each edge, the node that is used.
   */
  sources: number[];
  /**
   * The node that uses it.
   */
  targets: number[];
  /**
   * The slope of each edge's target in its source, as a formula.
   */
  rules: string[];
  /**
   * Of each edge, its slots in the layers between its ends.
   */
  bends: number[][];
  /**
   * The node whose gradient is asked for.
   */
  result: number;
  /**
   * Inputs that stand elsewhere than in the text.
   */
  moved: number[];
  /**
   * The one that this picture is about.
   */
  node: number;
  /**
   * The edge along which something flows, else -1.
   */
  edge: number;
  values: (number | string | null)[];
  /**
   * How the result answers to each node, as far as shares have come; none for what does not lead to it.
   */
  gradients: (number | string | null)[];
  /**
   * Of each edge, the local derivative.
   */
  slopes: (number | string | null)[];
  /**
   * Of each edge: its slope times the gradient of its target.
   */
  shares: (number | string | null)[];
  /**
   * Edges whose share was overwritten by another.
   */
  lost: number[];
  /**
   * The gradient of each input, found by nudging it.
   */
  nudged: (number | string | null)[];
  /**
   * Of each input: whether both agree.
   */
  verdicts: string[];
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Picture.stage": ["inputs", "forward", "backward", "check"] } as const;

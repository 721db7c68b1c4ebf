// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Layout;
}
export interface Params {
  /**
   * In C, in order: a type, a name and a semicolon each.
   */
  fields: string;
  /**
   * As each type requires it, or at most this many bytes: #pragma pack.
   */
  packing: "natural" | "pack_4" | "pack_2" | "pack_1";
  items: number;
  /**
   * Takes sizeof for the sum of the fields.
   */
  no_holes: boolean;
  /**
   * Ends the struct after its last field.
   */
  no_tail: boolean;
}
/**
 * A struct on its way into memory; ``stage`` says how far.
 */
export interface Layout {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "layout";
  stage: "place" | "end" | "best" | "array";
  fields: Field[];
  /**
   * The field that is being placed.
   */
  at: number | null;
  /**
   * The first byte after the fields placed so far.
   */
  end: number;
  /**
   * Of the struct: that of its strictest field.
   */
  align: number;
  /**
   * Bytes of padding at the end; 0 before they are known.
   */
  tail: number;
  /**
   * sizeof
   */
  size: number;
  /**
   * Bytes that hold something: the sizes of the fields, less the holes within them.
   */
  payload: number;
  /**
   * Bytes of the struct that hold nothing.
   */
  wasted: number;
  /**
   * The declarations in the order that wastes least, strictest alignment first.
   */
  best: string[];
  best_size: number;
  items: number;
  /**
   * Cache lines that the array touches, from an address that is a multiple of 64.
   */
  lines: number;
  /**
   * Items that lie in more than one cache line.
   */
  crossing: number[];
  /**
   * Fields of the array that lie where their type does not allow it.
   */
  misaligned: number;
}
/**
 * One field. What has no place yet has no offset.
 */
export interface Field {
  name: string;
  type: string;
  source: string;
  size: number;
  align: number;
  offset: number | null;
  hole: number;
  misaligned: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.packing": ["natural", "pack_4", "pack_2", "pack_1"],
  "Layout.stage": ["place", "end", "best", "array"],
} as const;

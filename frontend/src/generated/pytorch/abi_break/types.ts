// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Break;
}
export interface Params {
  /**
   * Between the two releases of the library.
   */
  change: "string" | "argument" | "argument, C name" | "struct" | "version";
  /**
   * Stable: C functions that the library promises not to change.
   */
  interface: "plain" | "stable";
  /**
   * Against the release that it meets.
   */
  rebuilt: boolean;
}
/**
 * An extension and the library that it is loaded beside, one step further.
 */
export interface Break {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "break";
  stage: "headers" | "plugs" | "name" | "layout" | "load" | "call";
  /**
   * What the extension was compiled with
   */
  ours: Line[];
  /**
   * What the library was compiled with
   */
  theirs: Line[];
  /**
   * Its file
   */
  library: string;
  plugs: Plug[];
  /**
   * Those that are alike; the library may have more
   */
  sockets: Socket[];
  /**
   * The plug whose name is taken apart, from 0; −1 for none
   */
  at: number;
  /**
   * Of the name that is needed
   */
  asked: Piece[];
  /**
   * Of the name that the library defines
   */
  offered: Piece[];
  /**
   * [bytes] of the struct, in the library's memory; empty if none passes
   */
  bytes: NdArray<Uint8Array>;
  our_fields: Field[];
  their_fields: Field[];
  /**
   * What the loader says; empty if it has not spoken, or has no complaint
   */
  refused: string;
  /**
   * What the extension is asked, as Python writes it
   */
  call: string;
  /**
   * What came back; empty before the call
   */
  got: string;
  /**
   * What should come back
   */
  right: string;
}
/**
 * Of what one side was compiled with.
 */
export interface Line {
  text: string;
  changed: boolean;
}
/**
 * A symbol that the extension needs.
 */
export interface Plug {
  symbol: string;
  reads: string;
  fit: "waiting" | "fits" | "open";
  socket: number;
}
/**
 * A symbol that the library defines.
 */
export interface Socket {
  symbol: string;
  reads: string;
}
/**
 * A part of a mangled name.
 */
export interface Piece {
  text: string;
  role: string;
  says: string;
  same: boolean;
}
/**
 * A field of a struct, where one side believes it to be.
 */
export interface Field {
  name: string;
  type: string;
  at: number;
  size: number;
  value: string;
  same: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.change": ["string", "argument", "argument, C name", "struct", "version"],
  "Params.interface": ["plain", "stable"],
  "Break.stage": ["headers", "plugs", "name", "layout", "load", "call"],
  "Plug.fit": ["waiting", "fits", "open"],
} as const;

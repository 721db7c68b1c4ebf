// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Break;
}
export interface Params {
  /**
   * Between the two releases of the library, or of Python.
   */
  change: "string" | "argument" | "argument, C name" | "struct" | "version" | "Python";
  /**
   * Stable: C functions that PyTorch, Python or our library promises to keep.
   */
  interface: "plain" | "stable";
  /**
   * Against the release it is loaded beside.
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
  stage: "headers" | "plugs" | "name" | "layout" | "find" | "load" | "call";
  /**
   * The extension's own
   */
  file: string;
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
   * Names that it needs of the C and C++ libraries besides
   */
  others: number;
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
  /**
   * Offset of the first of these bytes
   */
  first: number;
  our_fields: Field[];
  their_fields: Field[];
  /**
   * Empty unless the file is a module for Python
   */
  takers: Taker[];
  /**
   * The tags of a wheel with this file; empty unless it is a module for Python
   */
  wheel: string;
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
  promised: boolean;
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
/**
 * A Python that is offered the file.
 */
export interface Taker {
  python: string;
  finds: boolean;
  installs: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.change": ["string", "argument", "argument, C name", "struct", "version", "Python"],
  "Params.interface": ["plain", "stable"],
  "Break.stage": ["headers", "plugs", "name", "layout", "find", "load", "call"],
  "Plug.fit": ["waiting", "fits", "open"],
} as const;

/** What every way of multiplying on this device is, to who times it. */
export interface Operands {
  n: number;
  /** So many of the first rows of A are multiplied. */
  rows: number;
  /** Members of a team. */
  threads: number;
  a: Float32Array<ArrayBuffer>;
  b: Float32Array<ArrayBuffer>;
}

export interface Work {
  /** So many products, one after another; done when it returns or resolves. */
  run(rounds: number): unknown;
  /** The rows of C that were made. */
  product(): Float32Array | Promise<Float32Array>;
  close(): void;
}

/** Why a way cannot be had here, as half a sentence for the reader. */
export class Missing extends Error {}

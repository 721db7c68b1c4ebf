/** What was measured of a way of multiplying matrices. */
import { quartiles } from "../arrays";
import type { NdArray } from "../../runner/array";

export interface Product {
  name: string;
  /** GFLOP/s that three, two and one quarter of the repetitions reached. */
  speed: readonly [number, number, number];
  /** GFLOP/s that are the most it could reach, where that is known. */
  peak: number | undefined;
  /** It was measured. */
  known: boolean;
  /** For one product. */
  seconds: number;
  error: number;
  concept?: string | undefined;
  /** Why it cannot be had. */
  missing?: string | undefined;
}

interface Measured {
  names: string[];
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  error: NdArray<Float32Array>;
  rows: NdArray<Int32Array>;
  seconds: NdArray<Float32Array>;
  peak: number;
  /** Threads that share it; 0 where it is another processor's. */
  cores: number[];
}

export function products(event: Measured): Product[] {
  return event.names.map((name, n) => {
    const { low, median, high } = quartiles(event.speed, n);
    return {
      name,
      speed: [low, median, high],
      peak: event.peak * event.cores[n]! || undefined,
      known: event.rows.data[n]! > 0,
      seconds: event.seconds.data[n]!,
      error: event.error.data[n]!,
    };
  });
}

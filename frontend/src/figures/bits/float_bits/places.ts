/** What each bit is and is worth, and how much of the line is drawn around the nearest numbers. */
import type { Picture } from "../../../generated/bits/float_bits/types";

/** From where to where the nearest numbers are drawn, in steps of the last bit. */
export const NEAR = [-1.3, 2.3] as const;

export interface Bit {
  part: "sign" | "exponent" | "fraction";
  /** What it is from picture to picture, in whatever format. */
  mark: string;
  /** What it adds if it is set; what follows a ^ is raised. */
  worth: string;
}

export function bitsOf({ bits, exponent_bits, exponent }: Picture): Bit[] {
  return Array.from(bits, (_, i): Bit => {
    if (i === 0) return { part: "sign", mark: "bit sign", worth: "±" };
    if (i <= exponent_bits)
      return {
        part: "exponent",
        mark: `bit e${exponent_bits - i}`,
        worth: String(2 ** (exponent_bits - i)),
      };
    const place = i - exponent_bits;
    const worth = exponent === null ? `f${place}` : `2^${exponent - place}`.replace("-", "−");
    return { part: "fraction", mark: fractionBit(place), worth };
  });
}

/** The bit of the fraction at a place, counted from the point. */
export const fractionBit = (place: number): string => `bit f${place}`;

/** The places of the bits of the fraction that are 1. */
export const ones = ({ bits, exponent_bits }: Picture): number[] =>
  Array.from(bits.slice(1 + exponent_bits), (bit, i) => (bit === "1" ? i + 1 : 0)).filter(
    (place) => place > 0,
  );

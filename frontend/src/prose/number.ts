/** How a number stands in a sentence: as it is typed, in the same width whatever its value. */
import type { Property } from "../lab/property";
import { toField } from "../words";

export const words = (value: number): string => toField(Number(value.toPrecision(6))).replace("-", "−");

/** One step of the arrow keys: a hundredth of the range, or 1. */
export function stepOf({ type, minimum = 0, maximum = 1 }: Property): number {
  return type === "integer" ? 1 : 10 ** Math.floor(Math.log10((maximum - minimum) / 100));
}

/** The nearest value that the parameter takes and a step reaches. */
export function snap(property: Property, value: number): number {
  const { minimum = -Infinity, maximum = Infinity } = property;
  const step = stepOf(property);
  const inside = Math.max(minimum, Math.min(maximum, Math.round(value / step) * step));
  return Number(inside.toPrecision(12));
}

/** Characters that the longest value takes. */
export function widthOf(property: Property): number {
  const { minimum = 0, maximum = 0 } = property;
  const digits = Math.max(0, -Math.floor(Math.log10(stepOf(property))));
  return Math.max(minimum.toFixed(digits).length, maximum.toFixed(digits).length);
}

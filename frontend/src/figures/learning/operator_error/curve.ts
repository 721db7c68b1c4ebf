/** Fields on a ring, as paths in the 100 × 100 box of a drawing. */
import { line } from "../../../kit/path";
import { linear, type Scale } from "../../../kit/scale";

export const around = linear(0, 1);

/** All around: the last point is the first again. What has left the picture stays at its edge. */
const closed = (values: Float32Array, y: Scale) => {
  const [low, high] = [y.value(-3), y.value(103)];
  return Array.from({ length: values.length + 1 }, (_, i) =>
    Math.max(low, Math.min(high, values[i % values.length]!)),
  );
};
const places = (count: number) => Array.from({ length: count + 1 }, (_, i) => i / count);

export const ring = (values: Float32Array, y: Scale): string =>
  line(places(values.length), closed(values, y), around, y);

/** What lies between two fields. */
export function between(one: Float32Array, other: Float32Array, y: Scale): string {
  const there = places(one.length);
  const height = [...closed(one, y), ...closed(other, y).reverse()];
  return `${line([...there, ...[...there].reverse()], height, around, y)}Z`;
}

/** The index of an element in each dimension, from its number; the last dimension runs fastest. */
export function indexOf(element: number, shape: number[]): number[] {
  const found: number[] = [];
  for (const length of shape.toReversed()) {
    found.unshift(element % length);
    element = Math.floor(element / length);
  }
  return found;
}

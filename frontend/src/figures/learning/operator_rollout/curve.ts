/** Starts as the lab writes them: hundredths, evenly spaced around the ring. */
export const MANY = 32;
export const REACH = 1; // a value lies between -REACH and REACH

/** The values of a start; undefined where the text is none that the lab could read. */
export function valuesOf(text: string): number[] | undefined {
  const found = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return found.length >= 4 && found.every((value) => Number.isInteger(value) && Math.abs(value) <= 100)
    ? found.map((value) => value / 100)
    : undefined;
}

export const textOf = (values: readonly number[]): string =>
  values.map((value) => String(Math.round(100 * value))).join(" ");

/** A start with `MANY` values, whatever number it had, so that a pen finds as many places as ever. */
export function resampled(values: readonly number[]): number[] {
  return Array.from({ length: MANY }, (_, i) => {
    const at = (i * values.length) / MANY;
    const [before, share] = [Math.floor(at), at % 1];
    return values[before]! * (1 - share) + values[(before + 1) % values.length]! * share;
  });
}

/** The values after a pen went from one place to another; places are shares of the width. */
export function drawn(values: readonly number[], from: [number, number], to: [number, number]): number[] {
  const next = [...values];
  const [[left, low], [right, high]] = from[0] <= to[0] ? [from, to] : [to, from];
  const first = Math.round(left * MANY);
  const last = Math.round(right * MANY);
  for (let i = first; i <= last; i++) {
    const share = right > left ? Math.max(0, Math.min(1, (i / MANY - left) / (right - left))) : 1;
    const value = right > left ? low + share * (high - low) : to[1];
    next[((i % MANY) + MANY) % MANY] = Math.max(-REACH, Math.min(REACH, value));
  }
  return next;
}

/** An operation has the colour of its line of the program, on the whole way down to machine code. */
const FIRST = 6; // the line of the program that computes first

export const hue = (line: number) =>
  `--line-hue: var(--series-${Math.min(8, Math.max(1, line - FIRST + 1))})`;

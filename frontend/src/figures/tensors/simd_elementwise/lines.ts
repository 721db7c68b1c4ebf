/** Where numbers stand in the picture: cache lines have a gap between them, as wide as a number. */
const GAP = 1;

/** Where a number begins, in widths of a number. */
export const place = (number: number, line: number): number => number + GAP * Math.floor(number / line);

/** How wide so many cache lines are. */
export const span = (lines: number, line: number): number => lines * (line + GAP) - GAP;

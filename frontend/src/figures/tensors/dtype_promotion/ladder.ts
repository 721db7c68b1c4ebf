/** Where each type stands: a column for each kind, and higher up what holds more. In percent and rows from below. */
export const ROWS = 7;
const PLACES: Record<string, [x: number, row: number]> = {
  bool: [8, 0],
  uint8: [27, 1],
  uint16: [27, 2],
  uint32: [27, 3],
  uint64: [27, 4],
  int8: [46, 1],
  int16: [46, 2],
  int32: [46, 3],
  int64: [46, 4],
  float16: [67, 2],
  float32: [67, 3],
  float64: [67, 5],
  complex32: [89, 3],
  complex64: [89, 4],
  complex128: [89, 6],
};

export interface Place {
  x: number;
  y: number;
}

/** Percent of the drawing from its left and its top. */
export function placed(type: string): Place {
  const [x, row] = PLACES[type]!;
  return { x, y: 100 - (100 * (row + 0.5)) / ROWS };
}

/** What a product in blocks goes back to, how large each of it is, and how often it is gone through. */
import type { Colour } from "../../../kit/concept";

const FLOAT = 4; // bytes

export interface Thing {
  name: string;
  colour: Colour;
  /** In bytes. */
  size: number;
  says: string;
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

export function read(n: number, high: number, deep: number): Thing[] {
  return [
    { name: "block of A", colour: "series-1", size: FLOAT * high * deep, says: "read for each strip of B" },
    {
      name: "rows of B",
      colour: "series-3",
      size: FLOAT * n * deep,
      says: `read ${times(Math.ceil(n / high))}`,
    },
    {
      name: "C",
      colour: "series-2",
      size: FLOAT * n * n,
      says: `read and written ${times(Math.ceil(n / deep))}`,
    },
  ];
}

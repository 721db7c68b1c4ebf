/** The classes of requests, and what stands for each. */
export const KINDS = [
  { name: "A", priority: 2, colour: "series-1" },
  { name: "B", priority: 1, colour: "series-2" },
  { name: "C", priority: 0, colour: "series-3" },
] as const;

export const colourOf = (kind: number | undefined) => KINDS[kind ?? 0]!.colour;
export const nameOf = (kind: number | undefined, n: number) => `${KINDS[kind ?? 0]!.name}${n + 1}`;

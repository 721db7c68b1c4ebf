import type { Colour } from "../../../kit/concept";

/** The changes whose order is compared keep a colour of their own. */
const COLOURS: Record<string, Colour> = { C: "series-5", "loop order": "series-4", vectors: "series-6" };

export const colourOf = (change: string): Colour => COLOURS[change] ?? "series-1";

/** How a series looks beside its colour: more of them differ than there are colours. */
import { SLOTS } from "../../kit/charting";

const SYMBOLS = [
  "circle",
  "square",
  "diamond",
  "triangle-up",
  "cross",
  "pentagon",
  "star",
  "hexagon",
] as const;
const DASHES = ["solid", "dash", "dot", "dashdot"] as const;
export type Mark = (typeof SYMBOLS)[number];

export function look(slot: number) {
  const round = Math.floor(slot / SLOTS);
  return { dash: DASHES[round % DASHES.length]!, symbol: SYMBOLS[(slot + round) % SYMBOLS.length]! };
}

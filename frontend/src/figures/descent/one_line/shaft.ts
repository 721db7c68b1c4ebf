/** On a phone cells take the whole width of a level, and a thread between them would strike through what is written.
 *  Threads go down a shaft beside the levels there, a lane for each tensor, with a branch to each mark. */
import { CHOSEN, INPUTS } from "./strands";

export interface Stop {
  /** Of the mark: where a branch ends, and how high it is. */
  left: number;
  top: number;
  bottom: number;
}
export interface Way {
  /** The lane, and the branches as far as the shaft goes: nothing is written there. */
  down: string;
  /** The branches, behind what is written. */
  aside: string;
}

const LANES = [...INPUTS, CHOSEN];
const GAP = 5; // pixels from lane to lane
const FIRST = 2;

const laneOf = (key: string): number => FIRST + GAP * LANES.findIndex((each) => each === key[0]);

export function descend(key: string, stops: Stop[], shaft: number, width: number): Way {
  const lane = laneOf(key);
  const high = stops.map(({ top, bottom }) => (top + bottom) / 2);
  if (high.length === 0) return { down: "", aside: "" };
  return {
    down: `M${lane} ${Math.min(...high)}V${Math.max(...high)}${high.map((y) => `M${lane} ${y}H${shaft}`).join("")}`,
    aside: stops
      .map(({ left }, n) => ({ end: Math.min(left, width), y: high[n]! }))
      .filter(({ end }) => end > shaft)
      .map(({ end, y }) => `M${shaft} ${y}H${end}`)
      .join(""),
  };
}

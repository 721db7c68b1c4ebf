import type { Axes } from "../axes";
import type { LabEvent } from "../../runner/types";

/** The same step of two runs. */
export interface Pair {
  one: LabEvent;
  other: LabEvent;
  /** What the two runs are called. */
  names: [string, string];
  /** What the lab calls the places of its arrays and lists. */
  axes: Axes;
}

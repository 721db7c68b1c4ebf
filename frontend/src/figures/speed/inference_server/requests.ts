import type { Serving } from "../../../generated/speed/inference_server/types";
import type { Colour } from "../../../kit/concept";

export const SHORT = "series-1";
export const LONG = "series-2";
export const YOURS = "series-3";

/** The colour that a request keeps from the queue to its end. */
export function colour({ classes }: Serving, request: number): Colour {
  if (request === 0) return YOURS;
  return classes.data[request] ? LONG : SHORT;
}

/** The requests in one of the states that the lab numbers. */
export const inState = ({ state }: Serving, ...wanted: number[]): number[] =>
  [...state.data.keys()].filter((request) => wanted.includes(state.data[request]!));

import type { Event } from "../../../generated/pytorch/add_an_operator/types";
import type { Colour } from "../../../kit/concept";

type State = Event["states"][number];

export const COLOURS: Record<State, Colour | undefined> = {
  waiting: undefined,
  works: "series-6",
  missing: "time",
  differs: "clipped",
  fails: "error",
};

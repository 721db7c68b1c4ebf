/** What a lab says of itself: `src/generated/<series>/<lab>/lab.json`. */
import type { Property } from "./property";
import type { Place } from "../runner/resolve";

export interface Manifest {
  id: string;
  title: string;
  summary: string;
  runs_on: Place[];
  measures: boolean;
  shows_python: boolean;
  /** The step of its own recorded run that a figure opens on, counted from 1; the last one if left out. */
  poster?: number;
  /** A lab that computes the first events in the browser, and the names of its parameters. */
  front?: string[];
  /** A lab that the server is asked for, too, and the names of the parameters that both have. */
  asks?: string[];
  params: { properties: Record<string, Property> };
}

/** What a page gets with a figure. */
export interface Lab extends Manifest {
  /** A hash of the sources that it consists of. */
  version: string;
}

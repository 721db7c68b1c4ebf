/** What a lab says of itself; a page gets it with the figure. */
import type { Property } from "./property";
import type { Place } from "../runner/resolve";

export interface Lab {
  id: string;
  title: string;
  summary: string;
  runs_on: Place[];
  measures: boolean;
  shows_python: boolean;
  version: string;
  /** A lab that computes the first events in the browser, and the names of its parameters. */
  front?: string[];
  params: { properties: Record<string, Property> };
}

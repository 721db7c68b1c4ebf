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
  params: { properties: Record<string, Property> };
}

/** What the generated manifest says of a lab; the only reader of that file in the page. */
import manifest from "../generated/labs.json";
import type { Property } from "./property";
import type { Params } from "../runner/types";
import type { Place } from "../runner/resolve";

export interface Lab {
  id: string;
  title: string;
  summary: string;
  runs_on: Place[];
  measures: boolean;
  version: string;
  params: { properties: Record<string, Property> };
}

const labs = new Map((manifest as unknown as Lab[]).map((lab) => [lab.id, lab]));

export const allLabs = (): Lab[] => [...labs.values()];

/** Throws on an id that no lab has; the build turns that into an error with file and line. */
export function labOf(id: string): Lab {
  const lab = labs.get(id);
  if (!lab) throw new Error(`no lab is called ${id}; there are ${[...labs.keys()].join(", ")}`);
  return lab;
}

export const defaults = (lab: Lab): Params =>
  Object.fromEntries(
    Object.entries(lab.params.properties).map(([name, property]) => [name, property.default!]),
  );

/** What the generated manifest says of a lab; the only reader of that file in the page. */
import manifest from "../generated/labs.json";
import type { Params, Value } from "../runner/types";
import type { Place } from "../runner/resolve";

export interface Property {
  title: string;
  description?: string;
  unit?: string;
  group?: string;
  type: "integer" | "number" | "boolean" | "string";
  minimum?: number;
  maximum?: number;
  enum?: (string | number)[];
  default?: Value;
}

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

/** The range of a parameter in words, as the server says it. */
export function allowed(property: Property): string {
  if (property.enum) return `one of ${property.enum.join(", ")}`;
  if (property.type === "boolean") return "on or off";
  const noun = property.type === "integer" ? "a whole number" : "a number";
  return property.minimum === undefined ? noun : `${noun} from ${property.minimum} to ${property.maximum}`;
}

/** Read a value that somebody typed, in a field or in a link. Undefined where the parameter does not take it. */
export function parse(property: Property, text: string): Value | undefined {
  if (property.enum) return property.enum.find((choice) => String(choice) === text);
  if (property.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (property.type === "string") return text;
  const number = text.trim() === "" ? NaN : Number(text.trim().replace("−", "-"));
  if (!Number.isFinite(number)) return undefined;
  if (property.type === "integer" && !Number.isInteger(number)) return undefined;
  if (property.minimum !== undefined && number < property.minimum) return undefined;
  if (property.maximum !== undefined && number > property.maximum) return undefined;
  return number;
}

/** One parameter of a lab as the manifest describes it: what it takes, in words and in code. */
import type { Value } from "../runner/types";

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

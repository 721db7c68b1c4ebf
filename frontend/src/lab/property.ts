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
  /** In characters, of a text that the reader types. */
  maxLength?: number;
  /** Of a text that is code. */
  language?: string;
  /** Texts to begin with, by name; `@name` stands for one. */
  examples?: Record<string, string>;
  default?: Value;
}

/** The range of a parameter in words, as the server says it. */
export function allowed(property: Property): string {
  if (property.enum) return `one of ${property.enum.join(", ")}`;
  if (property.type === "boolean") return "on or off";
  if (property.type === "string") {
    const names = Object.keys(property.examples ?? {}).map((name) => `@${name}`);
    const text = `text of at most ${property.maxLength!.toLocaleString("en")} characters`;
    return names.length > 0 ? `${text}, or one of ${names.join(", ")}` : text;
  }
  const noun = property.type === "integer" ? "a whole number" : "a number";
  return property.minimum === undefined ? noun : `${noun} from ${property.minimum} to ${property.maximum}`;
}

/** Read a value that somebody typed, in a field or in a link. Undefined where the parameter does not take it. */
export function parse(property: Property, text: string): Value | undefined {
  if (property.enum) return property.enum.find((choice) => String(choice) === text);
  if (property.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (property.type === "string") {
    if (property.examples && /^@\S+$/.test(text)) return property.examples[text.slice(1)];
    return [...text].length <= property.maxLength! ? text : undefined;
  }
  const number = text.trim() === "" ? NaN : Number(text.trim().replace("−", "-"));
  if (!Number.isFinite(number)) return undefined;
  if (property.type === "integer" && !Number.isInteger(number)) return undefined;
  if (property.minimum !== undefined && number < property.minimum) return undefined;
  if (property.maximum !== undefined && number > property.maximum) return undefined;
  return number;
}

/** What `parse` reads back: an example by its name. */
export function write(property: Property, value: Value): string {
  const example = Object.entries(property.examples ?? {}).find(([, text]) => text === value);
  return example ? `@${example[0]}` : String(value);
}

/** A value in a few words. */
export function brief(property: Property, value: Value): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (property.type !== "string" || property.enum)
    return String(value).replaceAll("_", " ").replace(/^-/, "−");
  const text = write(property, value).replace(/^@/, "").replaceAll("_", " ").replace(/\s+/g, " ").trim();
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

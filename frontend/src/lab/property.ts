/** One parameter of a lab as the manifest describes it: what it takes, in words and in code. */
import type { Value } from "../runner/types";
import { texts, toField, tr, written } from "../words/index.ts";

export interface Property {
  title: string;
  description?: string;
  unit?: string;
  group?: string;
  /** It stands beside the picture. */
  main?: boolean;
  type: "integer" | "number" | "boolean" | "string";
  minimum?: number;
  maximum?: number;
  enum?: (string | number)[];
  /** The only value that it takes. */
  const?: string | number;
  /** In characters, of a text that the reader types. */
  maxLength?: number;
  /** Of a text that is code. */
  language?: string;
  /** The figure lists it, and its listing is the editor. */
  listed?: boolean;
  /** Texts to begin with, by name; `@name` stands for one. */
  examples?: Record<string, string>;
  default?: Value;
}

/** The range of a parameter in words, as the server says it. Of a text that is too long, the limit alone matters. */
export function allowed(property: Property, typed = ""): string {
  const w = texts().figure.allowed;
  const length = [...typed].length;
  if (property.type === "string" && property.maxLength! < length) return w.long(property.maxLength!, length);
  if (property.const !== undefined) return tr(String(property.const));
  if (property.enum) return w.one(property.enum.map((one) => tr(String(one))).join(", "));
  if (property.type === "boolean") return w.switch;
  if (property.type === "string") {
    const names = Object.keys(property.examples ?? {}).map((name) => `@${name}`);
    const text = w.text(property.maxLength!);
    return names.length > 0 ? w.or(text, w.one(names.join(", "))) : text;
  }
  const noun = property.type === "integer" ? w.whole : w.number;
  return property.minimum === undefined
    ? noun
    : w.range(noun, bound(property.minimum), bound(property.maximum!));
}

const bound = (value: number): string => written(String(value));

/** Read a value that somebody typed, in a field or in a link. Undefined where the parameter does not take it. */
export function parse(property: Property, text: string): Value | undefined {
  const choices = property.const === undefined ? property.enum : [property.const];
  if (choices) return choices.find((choice) => String(choice) === text);
  if (property.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (property.type === "string") {
    const { examples } = property;
    if (examples && /^@.+$/.test(text)) {
      const name = text.slice(1);
      return Object.hasOwn(examples, name) ? examples[name] : undefined;
    }
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
  if (typeof value === "boolean") return texts().figure.control[value ? "on" : "off"];
  if (property.type !== "string" || property.enum)
    return tr(typeof value === "number" ? toField(value) : value)
      .replaceAll("_", " ")
      .replace(/^-/, "−");
  const text = write(property, value).replace(/^@/, "").replaceAll("_", " ").replace(/\s+/g, " ").trim();
  return shorten(text);
}

export const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** Checks a value against the part of JSON Schema that `make contract` writes, and says what the first fault is. */

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  maxProperties?: number;
  /** Of an array of numbers: what each of its axes is as long as. */
  axes?: { name: string; of?: string; names?: string[] }[];
}

/** What is wrong, by the name of its words, where, and with what. */
export interface Fault {
  why:
    "missing" | "unknown" | "type" | "choice" | "low" | "high" | "short" | "long" | "form" | "axis" | "bytes";
  at: string;
  values: (string | number)[];
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

const takes = (types: string | string[], type: string) =>
  [types].flat().some((one) => one === type || (one === "number" && type === "integer"));

const inside = (at: string, name: string) => (at ? `${at}.${name}` : name);

/** Undefined if there is none. */
export function faultOf(value: unknown, schema: Schema, at = ""): Fault | undefined {
  const fault = (why: Fault["why"], ...values: (string | number)[]): Fault => ({ why, at, values });
  const type = typeOf(value);
  if ("const" in schema && value !== schema.const) return fault("choice", String(schema.const));
  if (schema.enum && !schema.enum.includes(value)) return fault("choice", schema.enum.join(", "));
  if (schema.type && !takes(schema.type, type)) return fault("type", [schema.type].flat().join(" or "), type);
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) return fault("low", value, schema.minimum);
    if (schema.maximum !== undefined && value > schema.maximum) return fault("high", value, schema.maximum);
  } else if (typeof value === "string") {
    return faultOfText(value, schema, fault);
  } else if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) return fault("short", value.length, schema.minItems!);
    if (value.length > (schema.maxItems ?? Infinity)) return fault("long", value.length, schema.maxItems!);
    for (const [place, item] of value.entries()) {
      const found = schema.items && faultOf(item, schema.items, `${at}[${place}]`);
      if (found) return found;
    }
  } else if (isObject(value)) return faultOfObject(value, schema, at, fault);
  return undefined;
}

type Say = (why: Fault["why"], ...values: (string | number)[]) => Fault;

function faultOfText(text: string, { minLength, maxLength, pattern }: Schema, fault: Say): Fault | undefined {
  if (text.length < (minLength ?? 0)) return fault("short", text.length, minLength!);
  if (text.length > (maxLength ?? Infinity)) return fault("long", text.length, maxLength!);
  return pattern && !new RegExp(pattern, "u").test(text) ? fault("form") : undefined;
}

function faultOfObject(
  value: Record<string, unknown>,
  schema: Schema,
  at: string,
  fault: Say,
): Fault | undefined {
  const names = Object.keys(value);
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { why: "missing", at: inside(at, missing), values: [] };
  if (names.length > (schema.maxProperties ?? Infinity))
    return fault("long", names.length, schema.maxProperties!);
  for (const name of names) {
    const known = schema.properties && Object.hasOwn(schema.properties, name);
    const other = schema.additionalProperties;
    const misnamed = schema.propertyNames && faultOf(name, schema.propertyNames, at);
    if (misnamed) return misnamed;
    if (!known && other === false) return fault("unknown", name.slice(0, 40));
    const of = known ? schema.properties![name]! : isObject(other) ? (other as Schema) : {};
    const found = faultOf(value[name], of, inside(at, name));
    if (found) return found;
  }
  return schema.properties && faultOfAxes(value, schema.properties, at);
}

/** Arrays are as long as the lists that name their axes, and hold as many bytes as that takes. */
function faultOfAxes(
  value: Record<string, unknown>,
  properties: Record<string, Schema>,
  at: string,
): Fault | undefined {
  for (const [name, { axes }] of Object.entries(properties)) {
    const field = value[name] as Json[] | { shape: number[]; data: string };
    if (!axes || !field) continue;
    const shape = Array.isArray(field) ? [field.length] : field.shape;
    for (const [place, axis] of axes.entries()) {
      const named = axis.names ?? (axis.of ? (value[axis.of] as Json[]) : undefined);
      if (named && named.length !== shape[place])
        return { why: "axis", at: inside(at, name), values: [axis.name, shape[place]!, named.length] };
    }
    if (Array.isArray(field)) continue;
    const bytes = 4 * shape.reduce((all, length) => all * length, 1);
    const there = (3 * field.data.replace(/=+$/, "").length) >> 2;
    if (bytes !== there) return { why: "bytes", at: inside(at, name), values: [there, bytes] };
  }
  return undefined;
}

/** Arrays of an event: little-endian bytes with dtype and shape on the wire, a typed array in the page. */
import { texts } from "../words/index.ts";

export interface NdArray<T extends TypedArray = TypedArray, Axes extends string[] = string[]> {
  dtype: string;
  shape: number[];
  data: T;
  /** What its axes are called: a type that is never a value, for functions that ask for one of them. */
  axes?: Axes;
}

export type TypedArray = Float32Array | Float64Array | Int32Array | Uint8Array;

const TYPES: Record<string, new (buffer: ArrayBuffer, byteOffset?: number, length?: number) => TypedArray> = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint8: Uint8Array,
};

interface Packed {
  dtype: string;
  shape: number[];
  data?: string | number | ArrayBuffer;
  blob?: string;
}

function isPacked(value: object): value is Packed {
  return "dtype" in value && "shape" in value && ("data" in value || "blob" in value);
}

function typed(packed: Packed, buffer: ArrayBuffer, place?: number): NdArray {
  const type = TYPES[packed.dtype];
  if (!type) throw new Error(texts().runner.array.type(packed.dtype));
  // Code that a reader wrote may say anything, and a figure walks as far as the shape says.
  const size = packed.shape.reduce((product, length) => product * length, 1);
  const data = place === undefined ? new type(buffer) : new type(buffer, place, size);
  if (size !== data.length) throw new Error(texts().runner.array.shape(data.length, String(packed.shape)));
  return { dtype: packed.dtype, shape: packed.shape, data };
}

function fromBase64(text: string): ArrayBuffer {
  const bytes = atob(text);
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) out[i] = bytes.charCodeAt(i);
  return out.buffer;
}

function toBase64({ buffer, byteOffset, byteLength }: TypedArray): string {
  let text = "";
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The inverse of `decode`: every typed array inside a value as it stands in JSON. */
export function encode(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(encode);
  if ("dtype" in value && "data" in value) return { ...value, data: toBase64(value.data as TypedArray) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encode(inner)]));
}

/** Turn every packed array inside a JSON value into a typed array. `bytes` is what a worker handed over. */
export function decode<T>(value: unknown, bytes?: ArrayBuffer): T {
  const walk = (item: unknown): unknown => {
    if (item === null || typeof item !== "object") return item;
    if (Array.isArray(item)) return item.map(walk);
    if (isPacked(item)) {
      if (typeof item.data === "string") return typed(item, fromBase64(item.data));
      if (typeof item.data === "number") return typed(item, bytes!, item.data);
      if (item.data) return typed(item, item.data);
    }
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value) as T;
}

/** Fetch what the server keeps apart because it is large, then decode. */
export async function decodeWithBlobs<T>(value: unknown, signal?: AbortSignal): Promise<T> {
  const pending: Promise<void>[] = [];
  const walk = (item: unknown): void => {
    if (item === null || typeof item !== "object") return;
    if (!Array.isArray(item) && isPacked(item) && item.blob) {
      const packed = item;
      pending.push(
        fetch(`/api/blobs/${packed.blob}`, { signal: signal ?? null }).then(async (answer) => {
          if (!answer.ok) throw new Error(texts().runner.array.lost(answer.status));
          packed.data = await answer.arrayBuffer();
        }),
      );
    } else for (const inner of Object.values(item)) walk(inner);
  };
  walk(value);
  await Promise.all(pending);
  return decode<T>(value);
}

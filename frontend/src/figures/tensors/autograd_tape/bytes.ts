/** The bytes that numbers of tensors are. */

/** The bits of a number that a 16-bit float holds exactly. */
function half(value: number): number {
  const [sign, size] = [value < 0 || Object.is(value, -0) ? 0x8000 : 0, Math.abs(value)];
  if (Number.isNaN(value)) return 0x7e00;
  if (size === Infinity) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const steps = size / 2 ** (exponent - 10); // of the last bit; below 1,024 there is no leading 1
  return sign | (steps < 1024 ? steps : ((exponent + 14) << 10) + steps);
}

const WRITE: { [dtype: string]: [number, (view: DataView, value: number) => void] } = {
  float64: [8, (view, value) => view.setFloat64(0, value, true)],
  float16: [2, (view, value) => view.setUint16(0, half(value), true)],
  float32: [4, (view, value) => view.setFloat32(0, value, true)],
  int64: [8, (view, value) => view.setBigInt64(0, BigInt(Math.round(value)), true)],
  int32: [4, (view, value) => view.setInt32(0, value, true)],
  bool: [1, (view, value) => view.setUint8(0, value)],
};

/** The bytes of one number in memory, the lowest first, in hexadecimal. */
export function bytesOf(value: number | string, dtype: string): string[] {
  const known = WRITE[dtype];
  if (!known) return [];
  const [size, write] = known;
  const view = new DataView(new ArrayBuffer(size));
  write(view, typeof value === "number" ? value : ({ inf: Infinity, "-inf": -Infinity }[value] ?? NaN));
  return Array.from(new Uint8Array(view.buffer), (byte) => byte.toString(16).padStart(2, "0"));
}

/** How many bytes one number takes. */
export const sizeOf = (dtype: string): number => WRITE[dtype]?.[0] ?? 0;

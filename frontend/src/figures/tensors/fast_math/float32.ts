/** The 32 bits, the top one first, of the float32 nearest to a number as C writes it; none of what is no number, whose
 *  bits its name does not tell. */
export function bitsOf(number: string): string {
  const value = Number(number.replace("inf", "Infinity"));
  if (Number.isNaN(value)) return "";
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0).toString(2).padStart(32, "0");
}

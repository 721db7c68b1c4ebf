/** Slots around a ring, the first at the top, as paths in a box from −50 to 50. */
/** Of a slot, from its side towards the middle to its outer one. */
export const [INNER, OUTER] = [28, 38.4];

const short = (value: number) => Math.round(value * 100) / 100;

/** The angle of a slot's middle; 0 is at the top, clockwise. */
export const angle = (slot: number, slots: number) => (2 * Math.PI * slot) / slots;

export const at = (turn: number, radius: number): [number, number] => [
  short(radius * Math.sin(turn)),
  short(-radius * Math.cos(turn)),
];

/** A piece of a ring between two radii, as wide as a slot less a gap. */
export function sector(slot: number, slots: number, inner: number, outer: number): string {
  const half = (Math.PI / slots) * (slots > 64 ? 0.86 : 0.92);
  const middle = angle(slot, slots);
  const [from, to] = [middle - half, middle + half];
  return (
    `M${at(from, inner)}A${inner} ${inner} 0 0 1 ${at(to, inner)}` +
    `L${at(to, outer)}A${outer} ${outer} 0 0 0 ${at(from, outer)}Z`
  );
}

/** A hop between two slots inside the ring: the further apart, the deeper it bends. */
export function hop(from: number, to: number, slots: number, radius: number): string {
  const apart = (((to - from) % slots) + slots) % slots;
  const near = Math.min(apart, slots - apart) / slots;
  const way = apart <= slots / 2 ? apart / 2 : (apart - slots) / 2;
  const bend = at(angle(from + way, slots), radius * (0.86 - 1.3 * near));
  return `M${at(angle(from, slots), radius)}Q${bend} ${at(angle(to, slots), radius)}`;
}

/** The slot in the direction of a point. */
export function slotAt(x: number, y: number, slots: number): number {
  const turn = Math.atan2(x, -y) / (2 * Math.PI);
  return (Math.round(turn * slots) + slots) % slots;
}

/** Names as keys: the second entry of the same name is another than the first. */
export function apart(names: readonly string[]): string[] {
  const met = new Map<string, number>();
  return names.map((name) => {
    const times = (met.get(name) ?? 0) + 1;
    met.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

/** From one surface to the next in a quarter of a second, where a reader wants motion and the machine is fast enough. */

const TAKES = 250; // ms
const SLOW = 40; // ms of a picture, above which a film would stutter
let slow = false;

/** `draw` is given what lies between, and in the end the new numbers. The result stops it. */
export function glide(
  from: ArrayLike<number> | undefined,
  to: ArrayLike<number>,
  draw: (values: ArrayLike<number>) => void,
): () => void {
  const still = slow || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || !from || from === to || from.length !== to.length) return (draw(to), () => {});
  const begun = performance.now();
  let next = requestAnimationFrame(function step(now) {
    const share = Math.min(1, Math.max(0, (now - begun) / TAKES));
    const eased = share * (2 - share);
    draw(share === 1 ? to : Array.from(to, (value, place) => from[place]! + eased * (value - from[place]!)));
    slow ||= performance.now() - now > SLOW;
    if (share < 1) next = requestAnimationFrame(slow ? () => draw(to) : step);
  });
  return () => cancelAnimationFrame(next);
}

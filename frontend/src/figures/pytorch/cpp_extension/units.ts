/** A time as the figure writes it. */
import { say } from "../../../kit/scale";

export const nanoseconds = (ns: number): string => {
  const size = Math.abs(ns);
  return size < 1e3
    ? `${say(ns, 3)} ns`
    : size < 1e6
      ? `${say(ns / 1e3, 3)} µs`
      : size < 1e9
        ? `${say(ns / 1e6, 3)} ms`
        : `${say(ns / 1e9, 2)} s`;
};
export const seconds = (s: number): string => nanoseconds(s * 1e9);

/** How the parts of this picture say formats, sizes and times. */
import type { Colour } from "../../../kit/concept";
import { say } from "../../../kit/scale";

export const FORMATS: Record<string, Colour> = { contiguous: "series-1", channels_last: "series-2" };

export const size = (bytes: number) =>
  bytes >= 1e5 ? `${say(bytes / 1e6, 3)} MB` : `${say(bytes / 1e3, 3)} kB`;

export const time = (ms: number) => (ms >= 0.1 ? `${say(ms, 3)} ms` : `${say(1e3 * ms, 2)} µs`);

/** Buckets keep one colour wherever they are; after eight they begin again. */
import type { Event } from "../../../generated/pytorch/ddp_overlap/types";
import type { Series } from "../../../kit/concept";

export const colourOf = (bucket: number): Series => `series-${(bucket % 8) + 1}` as Series;

/** What the event says of each gradient, in the order in which they were ready. */
export const gradientsOf = ({ gradients, layers, kib, home, ready }: Event) =>
  gradients.map((name, n) => ({
    name,
    layer: layers.data[n]!,
    size: kib.data[n]!,
    bucket: home.data[n]!,
    ready: ready.data[n]!,
  }));

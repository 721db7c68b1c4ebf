import type { Series } from "../build/library";
import type { Series as Colour } from "../kit/concept";

/** The colour of a series: one of eight that mean nothing of themselves. */
export const colourOf = ({ data }: Series) => `series-${data.order || 8}` as Colour;

import type { Colour } from "../../../kit/concept";

const COLOURS: Record<string, Colour> = { a: "series-1", b: "series-4" };

/** The colour of the alias set that a mark such as "a!" names. */
export const colour = (mark: string): Colour | undefined => COLOURS[mark[0] ?? ""];

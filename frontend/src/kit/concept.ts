/** The vocabulary of concepts that prose, figures, code and controls share: a colour and a glyph each, the same in
 *  every chapter. `concepts.json` defines it; styles/concepts.css is made from it. */
import vocabulary from "./concepts.json";
import type series from "./series.json";

export type Concept = keyof typeof vocabulary;

/** A place among things of one kind that a figure tells apart: lines, bars, sorts of squares. It means nothing of
 *  itself, and another figure may give it to something else. */
export type Series = keyof typeof series;

/** What `data-concept` may say. */
export type Colour = Concept | Series;

const byParameter = new Map(
  Object.entries(vocabulary).flatMap(([concept, { params }]) =>
    (params as string[]).map((name) => [name, concept as Concept] as const),
  ),
);

/** The concept that a parameter changes, by the parameter's name. */
export const conceptOf = (parameter: string): Concept | undefined => byParameter.get(parameter);

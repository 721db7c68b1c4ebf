/** The vocabulary of concepts that prose, figures, code and controls share: a colour and a glyph each, the same in
 *  every chapter. `concepts.json` defines it; styles/concepts.css is made from it. */
import vocabulary from "./concepts.json";

export type Concept = keyof typeof vocabulary;

const byParameter = new Map(
  Object.entries(vocabulary).flatMap(([concept, { params }]) =>
    (params as string[]).map((name) => [name, concept as Concept] as const),
  ),
);

/** The concept that a parameter changes, by the parameter's name. */
export const conceptOf = (parameter: string): Concept | undefined => byParameter.get(parameter);

import type { Event } from "../../../generated/pytorch/operator_schema/types";
import type { Colour } from "../../../kit/concept";

const COLOURS: Colour[] = ["series-1", "series-4", "series-2", "series-7", "series-5", "series-8"];
const first = (mark: string) => /\w+/.exec(mark)?.[0] ?? "";

/** Gives each mark such as "a!" the colour of its alias set: they take turns in the order of the schema. */
export function colours({ slots }: Event): (mark: string) => Colour | undefined {
  const names = [...new Set(slots.map(({ mark }) => first(mark)))].filter(Boolean);
  return (mark) => (first(mark) ? COLOURS[names.indexOf(first(mark)) % COLOURS.length] : undefined);
}

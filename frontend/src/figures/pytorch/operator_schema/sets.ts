import type { Event } from "../../../generated/pytorch/operator_schema/types";
import type { Colour } from "../../../kit/concept";

const COLOURS: Colour[] = ["series-1", "series-4", "series-2", "series-7", "series-5", "series-8"];
const first = (mark: string) => /\w+/.exec(mark)?.[0] ?? "";

/** Gives each mark such as "a!" the colour of its alias set: they take turns in the order of the schema. */
export function colours({ slots }: Event): (mark: string) => Colour | undefined {
  const names = [...new Set(slots.map(({ mark }) => first(mark)))].filter(Boolean);
  return (mark) => (first(mark) ? COLOURS[names.indexOf(first(mark)) % COLOURS.length] : undefined);
}

type Slot = Event["slots"][number];

/** What the schema says of a tensor's memory, in two words. */
export function promise({ tensor, result, mark }: Slot): string {
  if (!tensor) return "";
  if (mark.includes("!") && !result) return "may write";
  if (mark) return "may share";
  return result ? "is new" : "only reads";
}

export interface Deed {
  word: string;
  version: string;
  lie: boolean;
}

/** What the call did with the memory of each slot; nothing before it was made. */
export function deeds({ stage, slots, places }: Event): Map<string, Deed> | undefined {
  if (stage === "argument" || stage === "result") return undefined;
  const found = new Map<string, Deed>();
  for (const { key, result } of slots) {
    for (const place of places.filter((each) => each.slots.includes(key))) {
      const { before, after, changed, lie } = place;
      const word = result ? (before < 0 ? "new" : "shared") : changed ? "written" : "read";
      const version =
        result || before < 0 ? "" : before === after ? `version ${after}` : `version ${before} → ${after}`;
      const lies = result ? lie === "shared" : lie === "written";
      if (!found.get(key)?.lie) found.set(key, { word, version, lie: lies });
    }
  }
  return found;
}

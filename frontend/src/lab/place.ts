/** The places where a run can come from, in the words that the page uses for them. */
import { offer } from "../runner/offers";
import type { Choice } from "../runner/resolve";
import type { Provenance } from "../runner/types";
import type { Lab } from "./manifest";
import { day, texts } from "../words";

/** Where a run came from. */
export function from({ where, at, edited }: Provenance): string {
  const w = texts().figure.from;
  return edited ? w.edited : where === "recorded" ? w.recorded(day(at)) : w[where];
}

/** Why a run of the lab cannot be had from there just now, or undefined. */
export async function refusal(on: Choice, lab: Lab, asRecorded: boolean): Promise<string | undefined> {
  if (on === "recorded") return asRecorded ? undefined : texts().figure.places.otherRecorded;
  const { available, words } = await offer(on, lab.runs_on);
  return available ? undefined : words;
}

/** The places where a run can come from, in the words that the page uses for them. */
import { offer } from "../runner/offers";
import type { Choice, Place } from "../runner/resolve";
import type { Provenance } from "../runner/types";
import type { Lab } from "./manifest";
import { day, texts } from "../words";

/** Where a run came from; `on` says where it was wanted. The first pictures of a lab for a server may be made ahead in
 *  the browser, and where the server has no such machine they are all that comes. */
export function from({ where, at, edited }: Provenance, on?: Choice): string {
  const w = texts().figure.from;
  if (where === "browser" && !edited && (on === "cpu" || on === "cuda")) return w.ahead;
  return edited ? w.edited : where === "recorded" ? w.recorded(day(at)) : w[where];
}

/** Whether the lab can be run there just now. */
export const canRun = async (place: Place, lab: Lab): Promise<boolean> =>
  place === "browser" ? "WebAssembly" in globalThis : (await offer(place, lab.runs_on)).available;

/** Why a run of the lab cannot be had from there just now, or undefined. */
export async function refusal(on: Choice, lab: Lab, asRecorded: boolean): Promise<string | undefined> {
  if (on === "recorded") return asRecorded ? undefined : texts().figure.places.otherRecorded;
  const { available, words } = await offer(on, lab.runs_on);
  return available ? undefined : words;
}

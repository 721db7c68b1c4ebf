/** The places where a run can come from, in the words that the page uses for them. */
import { offer } from "../runner/offers";
import type { Choice } from "../runner/resolve";
import type { Provenance } from "../runner/types";
import type { Lab } from "./manifest";

export const PLACES: Record<Choice, string> = {
  browser: "Your browser",
  cpu: "This server’s CPU",
  cuda: "This server’s GPU",
  recorded: "Recorded",
};

/** As it continues a sentence: “the link asks for …”. */
export const RUN_FROM: Record<Choice, string> = {
  browser: "a run in your browser",
  cpu: "a run on this server’s CPU",
  cuda: "a run on this server’s GPU",
  recorded: "the recorded run",
};

export const ONE_RECORDED = "Other parameters were recorded than these.";

/** Where a run came from. */
export const from = ({ where, at, edited }: Provenance): string =>
  edited
    ? "Edited code, in your browser"
    : { recorded: `Recorded on ${at.slice(0, 10)}`, browser: "In your browser", server: "On this server" }[
        where
      ];

/** Why a run of the lab cannot be had from there just now, or undefined. */
export async function refusal(on: Choice, lab: Lab, asRecorded: boolean): Promise<string | undefined> {
  if (on === "recorded") return asRecorded ? undefined : ONE_RECORDED;
  const { available, words } = await offer(on, lab.runs_on);
  return available ? undefined : words;
}

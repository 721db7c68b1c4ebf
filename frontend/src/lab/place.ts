/** The places where a run can come from, in the words that the page uses for them. */
import type { Choice } from "../runner/resolve";
import type { Provenance } from "../runner/types";

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

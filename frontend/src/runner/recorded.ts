/** Fetches a run that was recorded earlier and ships with the site. */
import { decode } from "./array";
import type { Params, RunEvent } from "./types";
import { texts } from "../words";

export interface Recording {
  lab: string;
  name: string;
  params: Params;
  events: RunEvent[];
}

export async function fetchRecording(path: string): Promise<Recording> {
  const answer = await fetch(`/recordings/${path}.json`).catch(() => undefined);
  if (!answer?.ok) {
    const status = answer ? ` (${answer.status})` : "";
    throw new Error(texts().runner.recording(status));
  }
  return decode<Recording>(await answer.json());
}

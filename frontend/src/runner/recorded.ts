/** Plays a run that was recorded earlier and ships with the site. */
import { decode } from "./array";
import type { Params, RunEvent, Runner } from "./types";

export interface Recording {
  lab: string;
  name: string;
  params: Params;
  events: RunEvent[];
}

export async function fetchRecording(lab: string, name: string, signal?: AbortSignal): Promise<Recording> {
  const answer = await fetch(`/recordings/${lab}/${name}.json`, { signal: signal ?? null });
  if (!answer.ok)
    throw new Error(`the recorded run could not be loaded (${answer.status}); check the connection`);
  return decode<Recording>(await answer.json());
}

export const recorded = (name = "default"): Runner => ({
  async *run(lab, _params, signal) {
    yield* (await fetchRecording(lab, name, signal)).events;
  },
});

/** A run to look back at, and the one that was recorded. */
import { fetchRecording } from "../runner/recorded";
import { isEngineEvent, type End, type LabEvent, type Params, type Provenance } from "../runner/types";
import type { Sentence } from "../words/sentence";
import type { Tick } from "./ticks";

/** What was asked, what came, and from where. */
export interface Log {
  params: Params;
  events: readonly LabEvent[];
  provenance: Provenance;
  /** How it ended; undefined for one that is still on its way. */
  end: End | undefined;
}

export const ENDED_WELL: End = { kind: "end", status: "ok", reason: "" };
export const STOPPED: End = { kind: "end", status: "cancelled", reason: "" };

/** A run that ships with the site. */
export interface Recorded {
  /** Its lab and its name, as a path. */
  recording: string;
  params: Params;
  provenance: Provenance;
}

/** What the build knows of the recorded run and puts into the page, so that it is complete without a script. */
export interface FirstPicture extends Recorded {
  /** Index of `event` in the recorded run. */
  index: number;
  count: number;
  event: LabEvent;
  /** The sentences of the steps beside it. */
  before: Sentence | undefined;
  after: Sentence | undefined;
  longest: Sentence;
  ticks: Tick[];
  /** What else was recorded of the lab, with those parameters alone that are not as here. */
  others: Recorded[];
}

/** Whether two sets of parameters ask for the same; the device says where, not what. */
export const sameParams = (one: Params, other: Params): boolean =>
  Object.entries(one).every(([name, value]) => name === "device" || other[name] === value);

/** A recorded run, and how to come by all of it. */
export interface Kept extends Recorded {
  /** Fetches it once, when it is first wanted; after a failure, when it is wanted again. */
  log: () => Promise<Log>;
}

export function kept(run: Recorded): Kept {
  const { recording, params, provenance } = run;
  let coming: Promise<Log> | undefined;
  const get = async (): Promise<Log> => {
    const { events } = await fetchRecording(recording);
    const own = events.filter((event): event is LabEvent => !isEngineEvent(event));
    return { params, events: own, provenance, end: ENDED_WELL }; // only such runs are recorded
  };
  const log = () =>
    (coming ??= get().catch((error: unknown) => {
      coming = undefined;
      throw error;
    }));
  return { recording, params, provenance, log };
}

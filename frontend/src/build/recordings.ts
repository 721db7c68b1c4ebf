/** Recorded runs, read at build time. */
import { readFile } from "node:fs/promises";
import type { FirstPicture, Recorded } from "../lab/log";
import type { Lab } from "../lab/manifest";
import { longestOf, ticksOf } from "../lab/ticks";
import type { Recording } from "../runner/recorded";
import { fileOf, isNear, namesOf, recordedAs } from "./recorded";
import { isEngineEvent, type LabEvent, type Params, type Started } from "../runner/types";

/** The run of a lab with its parameters as they are. */
const OWN = "default";

export async function readRecording(lab: string, name: string): Promise<Recording> {
  try {
    return JSON.parse(await readFile(fileOf(lab, name), "utf-8")) as Recording;
  } catch {
    throw new Error(`no recorded run ${name} of ${lab}; make one with: make record ARGS=${lab}`);
  }
}

/** The picture that a page shows before anything runs. `step` counts from 1; the lab's own poster if undefined, and
 *  the last step of a run that is not the lab's own. */
export async function firstPicture(
  of: Lab,
  name: string,
  step = name === OWN ? of.poster : undefined,
): Promise<FirstPicture> {
  const lab = recordedAs(of, name);
  const recording = await readRecording(lab, name);
  const events = recording.events.filter((event): event is LabEvent => !isEngineEvent(event));
  const index = (step ?? events.length) - 1;
  const event = events[index];
  if (!event) throw new Error(`${lab} has no step ${step}: its recorded run ${name} has ${events.length}`);
  return {
    ...recorded(of, recording),
    index,
    count: events.length,
    event,
    before: events[index - 1]?.text,
    after: events[index + 1]?.text,
    longest: longestOf(events.map(({ text }) => text)),
    ticks: ticksOf(events),
    others: await others(of, lab, recording),
  };
}

/** A run by its name, as a figure keeps it beside its first picture. */
export const recordedRun = async (of: Lab, name: string): Promise<Recorded> =>
  recorded(of, await readRecording(recordedAs(of, name), name));

function recorded(of: Lab, { lab, name, params, events }: Recording): Recorded {
  const defaults = Object.entries(of.params.properties).map(([key, { default: value }]) => [key, value!]);
  const started = events.find((event): event is Started => event.kind === "started")!;
  return {
    recording: `${lab}/${name}`,
    params: { ...(Object.fromEntries(defaults) as Params), ...params },
    provenance: started.provenance,
  };
}

/** What else was recorded: a server takes longer, and so does Python while it starts. */
async function others(of: Lab, lab: string, { name, params }: Recording): Promise<Recorded[]> {
  if (lab !== of.id) return [];
  // What a build recorded says nothing of a lab that is being written.
  const names = namesOf(lab).filter((other) => other !== name && !(import.meta.env.DEV && isNear(other)));
  return Promise.all(
    names.map(async (other) => {
      const run = recorded(of, await readRecording(lab, other));
      const own = Object.entries(run.params).filter(([key, value]) => params[key] !== value);
      return { ...run, params: Object.fromEntries(own) };
    }),
  );
}

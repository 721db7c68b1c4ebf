/** The recorded runs of labs that measure products of matrices, as machines of the past. */
import { readdir } from "node:fs/promises";
import { entryOf, type Entry } from "../bench/entries";
import { decode } from "../runner/array";
import { isEngineEvent, type LabEvent, type Started } from "../runner/types";
import { RECORDINGS } from "./recorded";
import { readRecording } from "./recordings";

export async function recordedEntries(series: string): Promise<Entry[]> {
  const files = await readdir(RECORDINGS, { recursive: true });
  const paths = files.filter((file) => file.startsWith(`${series}/`) && file.endsWith(".json")).sort();
  const made = paths.map(async (path) => {
    const [, name, recording] = path.replace(/\.json$/, "").split("/");
    const { lab, params, events } = await readRecording(`${series}/${name}`, recording!);
    const { provenance } = events.find((event): event is Started => event.kind === "started")!;
    const last = events.filter((event): event is LabEvent => !isEngineEvent(event)).at(-1)!;
    return entryOf("recorded", lab, `${lab}/${recording}`, params, provenance, decode<LabEvent>(last));
  });
  return (await Promise.all(made)).filter((entry) => entry !== undefined);
}

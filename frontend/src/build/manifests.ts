/** What the labs say of themselves, read anew each time: under `make dev` a lab may be new, or say something else, and
 *  as no module holds it, none has to be evaluated again for it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../lab/fields.ts";
import type { Manifest } from "../lab/manifest.ts";

export const GENERATED = join(process.cwd(), "src", "generated");

const read = <T>(path: string): T => JSON.parse(readFileSync(join(GENERATED, path), "utf-8")) as T;

export const manifests = (): Manifest[] =>
  globSync("*/*/lab.json", { cwd: GENERATED })
    .sort()
    .map((path) => read<Manifest>(path));

export const manifestOf = (id: string): Manifest | undefined =>
  existsSync(join(GENERATED, id, "lab.json")) ? read<Manifest>(`${id}/lab.json`) : undefined;

/** What the fields of a lab's events mean, and what the axes of its arrays are called. */
export const fieldsOf = (id: string) => read<Fields>(`${id}/fields.json`);

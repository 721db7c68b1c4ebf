/** The labs' manifests for the checks of articles, which run before anything is bundled. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Property } from "../lab/property.ts";

export interface Described {
  id: string;
  front?: string[];
  params: { properties: Record<string, Property> };
}

const GENERATED = join(process.cwd(), "src", "generated");

export const manifests = (): Described[] =>
  globSync("*/*/lab.json", { cwd: GENERATED })
    .sort()
    .map((path) => JSON.parse(readFileSync(join(GENERATED, path), "utf-8")) as Described);

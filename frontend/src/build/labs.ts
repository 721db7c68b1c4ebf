/** The labs for the pages that show them. A page carries only what its own figures need. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab, Manifest } from "../lab/manifest";
import { tr } from "../words";
import { INDEX, type Index } from "../runner/packs";
import { manifestOf, manifests } from "./manifests";

export { fieldsOf } from "./manifests";

/** Written by scripts/pack_labs.py, and read anew each time, as the manifests are. */
const PACKED = join(process.cwd(), "public", "labs", INDEX);

const index = () => JSON.parse(readFileSync(PACKED, "utf-8")) as Index;

function packed(lab: Manifest, { versions }: Index): Lab {
  const version = versions[lab.id];
  if (!version) throw new Error(`${lab.id} is not in ${PACKED}: pack the labs with scripts/pack_labs.py`);
  return { ...lab, version };
}

export function allLabs(): Lab[] {
  const now = index();
  return manifests().map((lab) => packed(lab, now));
}

/** Throws on an id that no lab has. */
export function labOf(id: string): Lab {
  const lab = manifestOf(id);
  if (!lab)
    throw new Error(
      `no lab is called ${id}; there are ${manifests()
        .map((one) => one.id)
        .join(", ")}`,
    );
  return translated(packed(lab, index()));
}

/** A lab in the language of the page, as far as its catalogue goes. */
function translated(lab: Lab): Lab {
  const properties = Object.entries(lab.params.properties).map(([name, property]) => {
    const words = (["title", "description", "group", "unit"] as const)
      .filter((key) => property[key])
      .map((key) => [key, tr(property[key]!)]);
    return [name, { ...property, ...(Object.fromEntries(words) as object) }];
  });
  return {
    ...lab,
    title: tr(lab.title),
    summary: tr(lab.summary),
    params: { ...lab.params, properties: Object.fromEntries(properties) as Lab["params"]["properties"] },
  };
}

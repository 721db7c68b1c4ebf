/** The labs for the pages that show them. A page carries only what its own figures need. */
import type { Lab } from "../lab/manifest";
import { tr } from "../words";
import { manifestOf, manifests } from "./manifests";

export { manifests as allLabs, meaningsOf } from "./manifests";

/** Throws on an id that no lab has. */
export function labOf(id: string): Lab {
  const lab = manifestOf(id);
  if (!lab)
    throw new Error(
      `no lab is called ${id}; there are ${manifests()
        .map((one) => one.id)
        .join(", ")}`,
    );
  return translated(lab);
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

/** What the labs say of themselves, read when the site is built. A page carries only what its own figures need. */
import type { Lab } from "../lab/manifest";

const manifests = import.meta.glob<Lab>("../generated/*/*/lab.json", { import: "default", eager: true });
const meanings = import.meta.glob<Record<string, string>>("../generated/*/*/fields.json", {
  import: "default",
});

export const allLabs = (): Lab[] => Object.values(manifests);

/** Throws on an id that no lab has. */
export function labOf(id: string): Lab {
  const lab = manifests[`../generated/${id}/lab.json`];
  if (!lab)
    throw new Error(
      `no lab is called ${id}; there are ${allLabs()
        .map((one) => one.id)
        .join(", ")}`,
    );
  return lab;
}

/** What the fields of a lab's events mean. */
export const meaningsOf = (id: string) => meanings[`../generated/${id}/fields.json`]!();

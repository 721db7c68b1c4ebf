/** Where the controls of a lab stand: the one or two that matter beside the picture, the others folded away. */
import type { Lab } from "./manifest";
import type { Property } from "./property";
import { tr } from "../words";

export type Field = [name: string, property: Property];

export interface Placed {
  /** Beside the picture. */
  main: Field[];
  /** Folded away. */
  more: Field[];
  /** What a reader can break. */
  mistakes: Field[];
  /** Programs, which are wide. */
  code: Field[];
  /** Programs that the picture lists: the listing is the editor. */
  listed: Field[];
}

/** How many stand beside the picture, where a lab does not say which. */
const FEW = 2;

export function placed({ params }: Lab): Placed {
  const all = Object.entries(params.properties).filter(([name]) => name !== "device"); // that is a place to run on
  const wrong = ([, { group }]: Field) => group === tr("Mistakes");
  const written = ([, { language }]: Field) => language !== undefined;
  const settings = all.filter((field) => !wrong(field) && !written(field));
  const marked = all.filter(([, { main }]) => main);
  const main = marked.length > 0 ? marked : settings.slice(0, FEW);
  const folded = (field: Field) => !main.includes(field);
  return {
    main,
    more: settings.filter(folded),
    mistakes: all.filter((field) => wrong(field) && folded(field)),
    code: all.filter((field) => written(field) && !field[1].listed),
    listed: all.filter(([, { listed }]) => listed),
  };
}

/** Fields by their group, in their order. */
export function grouped(fields: readonly Field[]): [string, Field[]][] {
  const found = new Map<string, Field[]>();
  for (const field of fields) {
    const group = field[1].group ?? "";
    found.set(group, [...(found.get(group) ?? []), field]);
  }
  return [...found];
}

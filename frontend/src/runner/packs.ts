/** The Python of labs, as scripts/pack_labs.py packs it: each lab with what it imports, fetched once it is to run. */
import type { Place } from "./resolve";

export interface Pack {
  /** Below `/labs/`, as all addresses here: JSON, the texts of files by their path. */
  code: string;
  /** Files of data, by the path at which the code looks for them. */
  data: Record<string, string>;
}

export interface Index {
  /** Of each lab, by its id. */
  versions: Record<string, string>;
  /** By the module that asks for a pack: a lab, or one of the models. */
  packs: Record<string, Pack>;
}

/** Texts and bytes by the path at which Python finds them. */
export type Files = Record<string, string | Uint8Array>;

export const INDEX = "labs.json";
/** The pack of what all labs need. */
export const COMMON = "labs.contract";

export const moduleOf = (lab: string): string => `labs.${lab.replaceAll("/", ".")}`;

export const filesIn = ({ code, data }: Pack): string[] => [code, ...Object.values(data)];

/** The lab that Python in the browser runs for a figure: its own, or the one that makes its first pictures. */
export const inBrowser = (lab: { id: string; runs_on: readonly Place[]; front?: readonly string[] }) =>
  lab.runs_on.includes("browser") ? lab.id : lab.front?.[0];

/** As in `labs.discover`, which finds in the same way what a pack has to hold. */
const IMPORT = /^[ \t]*(?:from|import) ([\w.]+)(?: import (\([^)]*\)|.*))?/gm;

/** What a source file imports: `from a.b import c` may mean what a.b calls c, or the module a.b.c. */
const imports = (code: string): string[] =>
  [...code.matchAll(IMPORT)].flatMap(([, module = "", names = ""]) => [
    module,
    ...(names.match(/\w+/g) ?? []).map((name) => `${module}.${name}`),
  ]);

/** The packs of what somebody's code imports beyond the files that are there. */
export function lacking(code: string, files: Files, { packs }: Index): string[] {
  const known = new Set(Object.values(files).flatMap((one) => (typeof one === "string" ? imports(one) : [])));
  const inFile = (name: string) => `${name.slice(0, name.lastIndexOf(".")).replaceAll(".", "/")}.py` in files;
  const wanted = imports(code).filter((name) => !known.has(name) && !inFile(name));
  return Object.keys(packs).filter((pack) =>
    wanted.some((name) => name === pack || name.startsWith(`${pack}.`)),
  );
}

/** Fetches each pack once, for one Python. */
export class Library {
  readonly index: Promise<Index>;
  private readonly get: (name: string) => Promise<Response>;
  private readonly fetched = new Map<string, Promise<Files>>();

  /** `get` answers with a file below `/labs/`, or throws. */
  constructor(get: (name: string) => Promise<Response>) {
    this.get = get;
    this.index = get(INDEX).then((answer) => answer.json() as Promise<Index>);
    this.index.catch(() => undefined); // a caller that wants a pack hears of it
  }

  /** What belongs to a module; nothing if it has no pack. */
  of(module: string): Promise<Files> {
    const known = this.fetched.get(module);
    if (known) return known;
    const coming = this.index.then(({ packs }) => this.unpacked(packs[module]));
    this.fetched.set(module, coming);
    coming.catch(() => this.fetched.delete(module)); // the network was away: the next run asks again
    return coming;
  }

  private async unpacked(pack: Pack | undefined): Promise<Files> {
    if (!pack) return {};
    const code = this.get(pack.code).then((answer) => answer.json() as Promise<Files>);
    const data = Object.entries(pack.data).map(async ([path, name]) => {
      const bytes = await (await this.get(name)).arrayBuffer();
      return [path, new Uint8Array(bytes)] as const;
    });
    return { ...(await code), ...Object.fromEntries(await Promise.all(data)) };
  }
}

/** Python as it was once it had started and imported NumPy: its memory is read back, so that nothing is imported anew.
 *  `scripts/snapshot.mjs` makes it, with the same libraries at the same places. */
import type { PyodideConfig } from "pyodide";

export const SNAPSHOT = "snapshot.bin";

/** What starts Python, below `/pyodide/`. */
export const STARTS = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
  SNAPSHOT,
];

/** A library of NumPy's, by the path under which Python looks for it. */
export type LinkedLibrary = readonly [path: string, code: WebAssembly.Module];

/** First in the file, as JSON on a line of its own. The libraries follow, then the memory. */
export interface Head {
  libraries: [path: string, bytes: number][];
  memory: number;
}

/** What Emscripten's module has, and its types do not tell. */
interface Module {
  preRun?: ((module: Module) => void)[];
  HEAP8: Int8Array;
  LDSO: { loadedLibsByName: Record<string, object> };
  loadWebAssemblyModule(code: WebAssembly.Module, flags: object, path: string, scope: object): object;
  addRunDependency(name: string): void;
  removeRunDependency(name: string): void;
  _malloc(bytes: number): number;
}
export type CreateModule = (settings: Module) => Promise<Module>;

/** Links the libraries before Python starts, in their order: only so do they lie where the snapshot has them. */
export function linking(create: CreateModule, libraries: Promise<readonly LinkedLibrary[]>): CreateModule {
  return (settings) => {
    const link = async (module: Module) => {
      module.addRunDependency("libraries");
      for (const [path, code] of await libraries) {
        const exports = module.loadWebAssemblyModule(code, { nodelete: true }, path, {});
        module.LDSO.loadedLibsByName[path] = { refcount: Infinity, name: path, exports, global: false };
      }
      module.removeRunDependency("libraries");
    };
    settings.preRun = [(module) => void link(module).catch(() => undefined), ...(settings.preRun ?? [])];
    return create(settings);
  };
}

/** What `loadPyodide` takes to go on from the snapshot in `packed`, which may still be on its way. */
export function resuming(create: CreateModule, packed: ReadableStream<Uint8Array>): Partial<PyodideConfig> {
  const file = new Reader(packed);
  const head = file.line().then((line) => JSON.parse(line) as Head);
  const libraries = head.then(async (told) => {
    const codes: Uint8Array<ArrayBuffer>[] = [];
    for (const [, bytes] of told.libraries) codes.push(await file.into(new Uint8Array(bytes)));
    return codes;
  });
  const compiled = Promise.all([head, libraries]).then(([told, codes]) =>
    Promise.all(
      told.libraries.map(async ([path], i) => [path, await WebAssembly.compile(codes[i]!)] as const),
    ),
  );
  // Pyodide asks for the length at once, and for what is in it only once its own code is there.
  const memory = head.then((told) => new Uint8Array(told.memory));
  const filled = Promise.all([memory, libraries]).then(([bytes]) => file.into(bytes));
  for (const one of [libraries, compiled, memory, filled]) one.catch(() => undefined); // Pyodide awaits them in turn
  const cutOff = compiled.then(() => new Promise<never>(() => undefined));
  cutOff.catch(() => undefined);
  return {
    _loadSnapshot: memory,
    createPyodideModule: async (settings) => {
      const module = await Promise.race([linking(create, compiled)(settings as never), cutOff]);
      const { length } = await filled;
      if (module.HEAP8.length < length) module._malloc(length); // grows it; what is in it is overwritten
      return module as never;
    },
  };
}

class Reader {
  private readonly source: ReadableStreamDefaultReader<Uint8Array>;
  private rest = new Uint8Array();

  constructor(source: ReadableStream<Uint8Array>) {
    this.source = source.getReader();
  }

  async line(): Promise<string> {
    let end: number;
    while ((end = this.rest.indexOf(10)) < 0) {
      const more = await this.more();
      const both = new Uint8Array(this.rest.length + more.length);
      both.set(this.rest);
      both.set(more, this.rest.length);
      this.rest = both;
    }
    const line = new TextDecoder().decode(this.rest.subarray(0, end));
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  /** Fills an array. */
  async into(target: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < target.length;) {
      if (this.rest.length === 0) this.rest = await this.more();
      const part = this.rest.subarray(0, target.length - at);
      target.set(part, at);
      at += part.length;
      this.rest = this.rest.subarray(part.length);
    }
    return target;
  }

  private async more(): Promise<Uint8Array<ArrayBuffer>> {
    const { value, done } = await this.source.read();
    if (done) throw new Error("the snapshot of Python is cut off");
    return value as Uint8Array<ArrayBuffer>;
  }
}

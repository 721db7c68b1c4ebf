// Starts Python once, imports NumPy and what labs import of the standard library, and keeps its memory beside Pyodide:
// readers' browsers go on from there (frontend/src/runner/snapshot.ts). What is imported later comes from the files.
import { glob, readdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { linking, SNAPSHOT } from "../frontend/src/runner/snapshot.ts";

const PUBLIC = new URL("../frontend/public/pyodide/", import.meta.url);
const LABS = new URL("../wasm/labs/", import.meta.url).pathname;
const { loadPyodide } = await import(new URL("pyodide.mjs", PUBLIC).href);
const { default: create } = await import(
  new URL("pyodide.asm.mjs", PUBLIC).href
);

const wheel = (await readdir(PUBLIC)).find((name) => name.endsWith(".whl"));
const zip = new Uint8Array(await readFile(new URL(wheel, PUBLIC)));

/** Another Python only takes the wheel apart: what it takes must not lie in the memory that is kept. */
const unpacker = await loadPyodide({ indexURL: PUBLIC.pathname });
unpacker.unpackArchive(zip, "wheel", { extractDir: "/wheel" });
const files = JSON.parse(
  unpacker.runPython(`
    import json, pathlib
    json.dumps(sorted(str(each) for each in pathlib.Path("/wheel").rglob("*") if each.is_file()))
  `),
);
const SITE = "/lib/python3.14/site-packages";
const unpacked = files.map((path) => [
  path.replace("/wheel", SITE),
  unpacker.FS.readFile(path),
]);
const libraries = unpacked.filter(([path]) => path.endsWith(".so"));
const linked = libraries.map(([path, code]) => [
  path,
  new WebAssembly.Module(code),
]);

const pyodide = await loadPyodide({
  indexURL: PUBLIC.pathname,
  _makeSnapshot: true,
  createPyodideModule: linking(create, Promise.resolve(linked)),
});
for (const [path, content] of unpacked) {
  pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  pyodide.FS.writeFile(path, content);
}
/** Write zeros over memory that was used and given back, so that it packs to nothing. */
function clear(module) {
  const end = module.HEAPU8.length;
  const held = [];
  for (let size = 1 << 20; size >= 32; size /= 2) {
    let at;
    while ((at = module._malloc(size)) + 4 * size < end) {
      module.HEAPU8.fill(0, at, at + size);
      held.push(at);
    }
    module._free(at);
  }
  held.forEach((each) => module._free(each));
}

const sources = [];
for await (const path of glob("**/*.py", { cwd: LABS }))
  sources.push(await readFile(LABS + path, "utf-8"));
const named = sources.flatMap((text) =>
  [...text.matchAll(/^[ \t]*(?:from|import) ([\w.]+)/gm)].map(
    ([, name]) => name,
  ),
);
const standard = [...new Set(named)]
  .filter((name) => !/^(labs|numpy|annotated_types|native)\b/.test(name))
  .sort();
pyodide.runPython(`
import gc, importlib, pathlib, re
importlib.invalidate_caches()
import numpy
# NumPy imports some of its parts only when they are used, and its files do not travel.
unused = re.compile(r"\\b(tests|testing|testutils|f2py|_examples|_pyinstaller|conftest|mypy_plugin|_configtool|polynomial|core|matlib|distutils)\\b")
files = pathlib.Path(numpy.__file__).parent.rglob("*.py")
dotted = [str(each.relative_to("${SITE}").with_suffix("")).replace("/", ".") for each in sorted(files)]
parts = [each.removesuffix(".__init__") for each in dotted if not unused.search(each)]
for name in [*parts, *${JSON.stringify(standard)}]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # there is no such module in a browser, nor has the lab it when it runs
gc.collect()
`);
clear(pyodide._module);
const memory = pyodide.makeMemorySnapshot();
const head = {
  libraries: libraries.map(([path, code]) => [path, code.length]),
  memory: memory.length,
};
const parts = [
  Buffer.from(`${JSON.stringify(head)}\n`),
  ...libraries.map(([, code]) => code),
  memory,
];
const packed = async (name, data) =>
  writeFile(new URL(name, PUBLIC), gzipSync(data, { level: 9 }));
await packed(SNAPSHOT, Buffer.concat(parts));
// The server has no time to compress this on each request (underhood/web/files.py).
const CODE = "pyodide.asm.wasm";
await packed(`${CODE}.gz`, await readFile(new URL(CODE, PUBLIC)));

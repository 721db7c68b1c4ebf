// Python as readers get it, in Node: from the very files that the site serves.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** Pyodide with the packs of all labs, or of one; `site` is frontend/public. */
export async function start(site, module) {
  const { loadPyodide } = await import(
    pathToFileURL(`${site}/pyodide/pyodide.mjs`).href
  );
  const pyodide = await loadPyodide({
    indexURL: `${site}/pyodide/`,
    packageBaseUrl: `${site}/pyodide/`,
    packages: ["numpy"],
    stdout: () => {},
  });
  const read = async (name) =>
    new Uint8Array(await readFile(`${site}/labs/${name}`)); // Pyodide does not know Node's Buffer
  const put = (name, content) => {
    pyodide.FS.mkdirTree(dirname(`/labs/${name}`));
    pyodide.FS.writeFile(`/labs/${name}`, content);
  };
  const { packs } = JSON.parse(
    await readFile(`${site}/labs/labs.json`, "utf8"),
  );
  for (const [name, { code, data }] of Object.entries(packs)) {
    if (module && ![module, "labs.contract"].includes(name)) continue;
    const texts = JSON.parse(await readFile(`${site}/labs/${code}`, "utf8"));
    for (const [path, text] of Object.entries(texts)) put(path, text);
    for (const [path, file] of Object.entries(data))
      put(path, await read(file));
  }
  pyodide.runPython('import sys; sys.path.insert(0, "/labs")');
  return pyodide;
}

// Runs every portable lab with its defaults in Pyodide, from the very files that the site serves; prints the logs.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const site = process.argv[2]; // frontend/public
const { loadPyodide } = await import(pathToFileURL(`${site}/pyodide/pyodide.mjs`).href);
const pyodide = await loadPyodide({
  indexURL: `${site}/pyodide/`,
  packageBaseUrl: `${site}/pyodide/`,
  packages: ["numpy"],
  stdout: () => {},
});
const archive = new Uint8Array(await readFile(`${site}/labs/labs.zip`)); // Pyodide does not know Node's Buffer
pyodide.unpackArchive(archive, "zip", { extractDir: "/labs" });
const logs = pyodide.runPython(`
import json, sys
sys.path.insert(0, "/labs")
from labs import discover
from labs.contract import pack
json.dumps({lab.id: [pack(event) for event in lab.run(lab.params())] for lab in discover.find().values() if not lab.on_device})
`);
process.stdout.write(logs);

// Runs every portable lab with its defaults in Pyodide, from the very files that the site serves; prints the logs.
import { start } from "./python.mjs";

const pyodide = await start(process.argv[2]);
const logs = pyodide.runPython(`
import json
from labs import discover
from labs.contract import pack
json.dumps({lab.id: [pack(event) for event in lab.run(lab.params())] for lab in discover.find().values() if not lab.on_device})
`);
process.stdout.write(logs);

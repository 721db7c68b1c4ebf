// @ts-check
/// <reference lib="webworker" />
// A Python interpreter that a reader's code may do its worst in. It has no network (the page's policy sees to that);
// Pyodide and the labs come as files that were handed in. What goes out is text, and only so much of it.

/** @typedef {{ code: string, lab: string, params: string }} Job */

/** As much as a run on the server may say. */
const EVENTS = 5_000;
const EVENT_CHARS = 1 << 20;
const RUN_CHARS = 64 << 20;
const PRINTED_CHARS = 20_000;

const NOWHERE = "https://sandbox.invalid/"; // Pyodide wants an address to start from; nothing is ever asked of it

/** @param {Record<string, Blob>} files */
async function start(files) {
  /** @param {string} name */
  const file = (name) => {
    const found = files[name];
    if (!found) throw new TypeError(`there is no network here, and no file ${name}`);
    return found;
  };
  /** @param {string} name */
  const load = (name) => import(URL.createObjectURL(file(name)));
  // Pyodide wants a module worker, as `import` is missing from old ones of this kind; it knows them by this function.
  Object.assign(self, { importScripts: undefined });
  self.fetch = async (asked) => new Response(file(String(asked).split("/").at(-1) ?? ""));
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    load("pyodide.mjs"),
    load("pyodide.asm.mjs"),
  ]);
  const options = { indexURL: NOWHERE, packageBaseUrl: NOWHERE, createPyodideModule, packages: ["numpy"] };
  const pyodide = await loadPyodide(options);
  return pyodide;
}

/**
 * Modules of ours, by their path.
 * @param {any} pyodide
 * @param {Record<string, string | Uint8Array>} labs
 */
function put(pyodide, labs) {
  for (const [name, content] of Object.entries(labs)) {
    const path = `/labs/${name}`;
    pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    pyodide.FS.writeFile(path, content);
  }
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
}

addEventListener(
  "message",
  async ({ data: { files, labs, python, port } }) => {
    try {
      const pyodide = await start(files);
      put(pyodide, labs);
      pyodide.runPython(python);
      const run = pyodide.globals.get("run");
      port.onmessage = (
        /** @type {MessageEvent<Job | { labs: Record<string, string | Uint8Array> }>} */ { data },
      ) => ("labs" in data ? put(pyodide, data.labs) : execute(pyodide, run, data, port));
      port.postMessage({ type: "ready", versions: JSON.parse(pyodide.globals.get("versions")()) });
    } catch (error) {
      port.postMessage({ type: "broken", reason: String(error) });
    }
  },
  { once: true },
);

/**
 * @param {any} pyodide
 * @param {(code: string, lab: string, params: string, emit: (json: string) => string) => string} run
 * @param {Job} job
 * @param {MessagePort} port
 */
function execute(pyodide, run, job, port) {
  let events = 0;
  let chars = 0;
  let printed = 0;

  /** @param {string} text */
  const print = (text) => {
    const fits = `${text}\n`.slice(0, PRINTED_CHARS - printed);
    printed += fits.length;
    if (fits) port.postMessage({ type: "printed", text: fits, full: printed === PRINTED_CHARS });
  };
  pyodide.setStdout({ batched: print });
  pyodide.setStderr({ batched: print });

  /** Pass an event on; returns why not, if so. @param {string} json */
  const emit = (json) => {
    events += 1;
    chars += json.length;
    if (events > EVENTS) return `A run may have ${EVENTS.toLocaleString("en")} events; this one had more.`;
    if (json.length > EVENT_CHARS) return "One event is larger than 1 MiB; put less into it.";
    if (chars > RUN_CHARS) return "The events of this run are larger than 64 MiB together; yield fewer.";
    port.postMessage({ type: "event", json });
    return "";
  };

  try {
    port.postMessage({ type: "end", ...JSON.parse(run(job.code, job.lab, job.params, emit)) });
  } catch (error) {
    // The interpreter itself gave up, by recursion without end or for want of memory: it cannot be used again.
    port.postMessage({ type: "broken", reason: String(error).trim().split("\n").at(-1) });
  }
}

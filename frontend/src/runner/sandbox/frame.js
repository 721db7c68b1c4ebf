// @ts-check
// The script of the sandbox's page: it starts one worker, hands it all it will ever have, and does nothing else.
// It stands in the page itself, as the page has no origin and could load nothing.

/** @param {string} id */
const text = (id) => /** @type {HTMLElement} */ (document.getElementById(id)).textContent ?? "";

/** @param {string} reason */
const broken = (reason) => parent.postMessage({ type: "broken", reason }, "*");

addEventListener("message", function handIn(event) {
  if (event.source !== parent) return;
  removeEventListener("message", handIn);
  if (self.origin !== "null") return broken("its page was opened without a sandbox");
  const script = new Blob([text("worker")], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(script)); // without an origin, Chromium starts no module worker
  worker.onerror = (error) => broken(error.message || "its worker could not be loaded");
  const [port] = event.ports;
  if (port) worker.postMessage({ ...event.data, python: text("python"), port }, [port]);
});

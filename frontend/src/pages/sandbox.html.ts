/** The page that a reader's own code runs in. It is sealed as by `sandbox="allow-scripts"`, so it has no origin: no
 *  storage, no API, no other page is its own. Its policy leaves it no network, and its worker inherits that policy. */
import { createHash } from "node:crypto";
import type { APIRoute } from "astro";
import frame from "../runner/sandbox/frame.js?raw";
import python from "../runner/sandbox/cell.py?raw";
import worker from "../runner/sandbox/worker.js?raw";

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** Scripts from memory (blob:) are Pyodide's own, handed in, and what the worker makes; `eval` is not among them. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hash(frame)} blob: 'wasm-unsafe-eval'`,
  "worker-src blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Inert text for `frame.js` to read. */
function inert(id: string, type: string, text: string): string {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${id} would end its own element`);
  return `<script id="${id}" type="${type}">${text}</script>`;
}

export const GET: APIRoute = () =>
  new Response(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="robots" content="noindex" />
    <title>Sandbox</title>
    ${inert("worker", "text/plain", worker)}
    ${inert("python", "text/x-python", python)}
  </head>
  <body>
    <script>${frame}</script>
  </body>
</html>
`,
    { headers: { "Content-Type": "text/html; charset=utf-8" } },
  );

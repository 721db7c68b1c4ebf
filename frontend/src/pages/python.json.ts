/** How much a browser downloads before it can run labs, which themselves weigh next to nothing: measured on the very
 *  files that the site serves. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { APIRoute } from "astro";
import type { Download } from "../runner/download";

const PUBLIC = join(process.cwd(), "public");
const COMPRESSED = /\.(mjs|json)$/; // in transit; the others are archives, or left as they are

export const GET: APIRoute = async () => {
  const python = (await readdir(join(PUBLIC, "pyodide"))).map((name) => `/pyodide/${name}`);
  const sizes = await Promise.all(
    python.map(async (path) => {
      const data = await readFile(join(PUBLIC, path));
      return { path, bytes: COMPRESSED.test(path) ? gzipSync(data).length : data.length };
    }),
  );
  const runtime = join(process.cwd(), "node_modules", "pyodide", "package.json");
  const { version } = JSON.parse(await readFile(runtime, "utf-8")) as { version: string };
  const download: Download = {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    version,
    largest: sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most)).path,
  };
  return Response.json(download);
};

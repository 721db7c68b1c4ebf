/** How much a browser downloads before it can run labs, which themselves weigh next to nothing: measured on the very
 *  files that the site serves. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { APIRoute } from "astro";
import type { Download } from "../runner/download";
import { STARTS } from "../runner/snapshot";

const PUBLIC = join(process.cwd(), "public", "pyodide");
const ARCHIVE = /\.(bin|zip)$/; // all else is compressed in transit

export const GET: APIRoute = async () => {
  const sizes = await Promise.all(
    STARTS.map(async (name) => {
      const data = await readFile(join(PUBLIC, name));
      return [`/pyodide/${name}`, ARCHIVE.test(name) ? data.length : gzipSync(data).length] as const;
    }),
  );
  const runtime = join(process.cwd(), "node_modules", "pyodide", "package.json");
  const { version } = JSON.parse(await readFile(runtime, "utf-8")) as { version: string };
  const download: Download = {
    bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
    version,
    files: Object.fromEntries(sizes),
  };
  return Response.json(download);
};

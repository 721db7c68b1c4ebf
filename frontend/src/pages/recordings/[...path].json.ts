/** The recorded runs, served as they lie in content/recordings. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { APIRoute } from "astro";
import { RECORDINGS } from "../../build/recorded";

export async function getStaticPaths() {
  const files = await readdir(RECORDINGS, { recursive: true });
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ params: { path: file.replace(/\.json$/, "") } }));
}

export const GET: APIRoute = async ({ params }) =>
  new Response(await readFile(join(RECORDINGS, `${params.path}.json`)));

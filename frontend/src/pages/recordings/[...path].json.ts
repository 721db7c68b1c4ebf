/** The recorded runs, served as they lie in content/recordings, or were made by the build. */
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import type { APIRoute } from "astro";
import { fileOf, NEAR, RECORDINGS } from "../../build/recorded";

export async function getStaticPaths() {
  const folders = [RECORDINGS, NEAR].filter((folder) => existsSync(folder));
  const files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  return files
    .flat()
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ params: { path: file.replace(/\.json$/, "") } }));
}

export const GET: APIRoute = async ({ params }) => {
  const [, lab, name] = /^(.*)\/(.*)$/.exec(params.path!)!;
  return new Response(await readFile(fileOf(lab!, name!)));
};

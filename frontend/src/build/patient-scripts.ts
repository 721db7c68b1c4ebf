/** After the site is built: scripts come after text and fonts. A page is complete without them, and a browser would fetch
 *  a dozen modules before it paints. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";

export function patientScripts(): AstroIntegration {
  return {
    name: "patient-scripts",
    hooks: {
      "astro:build:done": async ({ dir }) => {
        const site = fileURLToPath(dir);
        for (const file of await readdir(site, { recursive: true }))
          if (/^(?!copies|pyodide).*\.html$/.test(file)) {
            const html = await readFile(join(site, file), "utf-8");
            const patient = html.replaceAll(
              '<script type="module" src',
              '<script type="module" fetchpriority="low" src',
            );
            await writeFile(join(site, file), patient);
          }
      },
    },
  };
}

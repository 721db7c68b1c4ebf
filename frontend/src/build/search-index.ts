/** The index of the full-text search, made from the built pages: articles and labs, which carry `data-pagefind-body`.
 *  Only what the search of this site loads is written; Pagefind's own interfaces are left out. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { close, createIndex } from "pagefind";

/** What a page shows besides its text: pictures, controls, notes to the reader. */
const LEFT_OUT = [
  ".lab .picture",
  ".lab .bar",
  ".lab .sentences button",
  ".lab .side",
  ".lab .below",
  ".lab .panels",
  ".lab details.badge",
  ".card",
  "[data-footnote-backref]",
];
const INTERFACES = /^pagefind-(component-ui|modular-ui|ui|highlight)\./;

export function searchIndex(): AstroIntegration {
  return {
    name: "search-index",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const site = fileURLToPath(dir);
        const { index, errors } = await createIndex({ excludeSelectors: LEFT_OUT });
        if (!index) throw new Error(`the search index could not be made: ${errors.join("; ")}`);
        const added = await index.addDirectory({ path: site });
        const made = await index.getFiles();
        const wrong = [...added.errors, ...made.errors];
        if (wrong.length > 0) throw new Error(`the search index could not be made: ${wrong.join("; ")}`);
        const files = made.files.filter(({ path }) => !INTERFACES.test(path));
        for (const { path, content } of files) {
          const place = join(site, "pagefind", path);
          await mkdir(dirname(place), { recursive: true });
          await writeFile(place, content);
        }
        await close();
        logger.info(`${files.length} files, from ${added.page_count} pages`);
      },
    },
  };
}

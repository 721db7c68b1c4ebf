// Compiles articles as the site's build does and prints, for each, the message that stops it, or null.
// Run in frontend/; standard input is a JSON object from file name to text.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const site = createRequire(join(process.cwd(), "package.json"));
const load = (name) =>
  import(pathToFileURL(name.startsWith("/") ? name : site.resolve(name)).href);
const { compile } = await load("@mdx-js/mdx");
const { VFile } = await load("vfile");
const { default: remarkMath } = await load("remark-math");
const { parseFrontmatter } = await load("@astrojs/markdown-remark");
const { checkNotes } = await load(
  join(process.cwd(), "src/build/check-notes.ts"),
);
const { linkHeadings } = await load(
  join(process.cwd(), "src/build/headings.ts"),
);
const { maths } = await load(join(process.cwd(), "src/build/maths.ts"));
const { checkArticle } = await load(
  join(process.cwd(), "src/build/check-article.ts"),
);
const { checkTranslation } = await load(
  join(process.cwd(), "src/build/check-translation.ts"),
);
const { checkExercise } = await load(
  join(process.cwd(), "src/build/check-exercise.ts"),
);

const said = {};
for (const [path, value] of Object.entries(
  JSON.parse(await text(process.stdin)),
)) {
  try {
    const { frontmatter, content } = parseFrontmatter(value, {
      frontmatter: "empty-with-spaces",
    });
    const file = new VFile({
      path,
      value: content,
      data: { astro: { frontmatter } },
    });
    const remarkPlugins = [
      remarkMath,
      checkTranslation,
      checkArticle,
      checkNotes,
      checkExercise,
    ];
    await compile(file, { remarkPlugins, rehypePlugins: [linkHeadings, maths] });
    said[path] = null;
  } catch (error) {
    said[path] =
      `${error.file ?? path}:${error.line}:${error.column}: ${error.reason ?? error.message}`;
  }
}
process.stdout.write(JSON.stringify(said));

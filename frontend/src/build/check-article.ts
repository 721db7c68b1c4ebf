/** Fails the build, with file and line, on what a reader would only find later: a lab or parameter that is not
 *  there, a dead link, a picture without words. A remark plugin. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "github-slugger";
import type { Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import type { VFile } from "vfile";
import { pick } from "../lab/value.ts";
import type { RunEvent } from "../runner/types.ts";
import { fieldsOf, manifests } from "./manifests.ts";
import { proseCheck, type Placed } from "./check-prose.ts";
import { idOf, nameOf } from "./names.ts";
import { fileOf, recordedAs } from "./recorded.ts";
import { textOf as attribute, type Node } from "./mdx.ts";

const CONTENT = join(process.cwd(), "..", "content");
const LAB_TAKES = ["id", "label", "recording", "step", "name"];

export function checkArticle() {
  return (root: Root, file: VFile): void => {
    const described = manifests(); // each time: under `make dev` a lab may be new
    const labs = described.map((lab) => lab.id);
    const pages = listPages(labs);
    const tree = root as Node; // MDX adds nodes that the Markdown tree's own types do not know
    const anchors = new Set<string>(["sources"]);
    const figures = new Map<string, Placed>();
    visit(tree as never, (node: Node) => {
      if (node.type === "heading") anchors.add(slug(words(node)));
      if (node.name === "Lab") {
        const name = attribute(node, "name") ?? attribute(node, "id")?.split("/")[1] ?? "";
        if (anchors.has(name))
          file.fail(`two things on this page are called ${name}; give the figure another name="…"`, node);
        anchors.add(name);
        const lab = attribute(node, "id") ?? "";
        figures.set(name, { lab, recording: attribute(node, "recording") ?? "default" });
      } else if (attribute(node, "id")) anchors.add(attribute(node, "id")!);
      if (node.type === "heading") return SKIP;
      return undefined;
    });

    const checkProse = proseCheck(figures, described, file);
    visit(tree as never, (node: Node) => {
      if (node.name === "Lab") checkLab(node);
      else if (node.name === "Value") checkValue(node);
      else if (node.type === "image" && !node.alt?.trim())
        file.fail("a picture needs words in its place: ![what it shows](…)", node);
      else if (node.name === "img" && !attribute(node, "alt")?.trim())
        file.fail('a picture needs words in its place: alt="what it shows"', node);
      else if (node.type === "link") checkLink(node, node.url ?? "");
      else if (node.name === "a") checkLink(node, attribute(node, "href") ?? "");
      checkProse(node);
    });

    function checkId(node: Node, name: string): string {
      const id = attribute(node, name);
      if (!id) file.fail(`<${node.name}> needs ${name}="series/lab"`, node);
      if (!labs.includes(id)) file.fail(`no lab is called ${id}; there are ${labs.join(", ")}`, node);
      return id;
    }

    function checkLab(node: Node): void {
      const id = checkId(node, "id");
      for (const { name } of node.attributes ?? []) {
        if (!LAB_TAKES.includes(name))
          file.fail(`<Lab> does not take ${name}; it takes ${LAB_TAKES.join(", ")}`, node);
      }
      if (!attribute(node, "label")?.trim())
        file.fail(`<Lab id="${id}"> needs label="what the figure is", for readers who cannot see it`, node);
      checkRecording(node, id);
    }

    function checkValue(node: Node): void {
      const of = checkId(node, "of");
      const path = checkRecording(node, of);
      const { events } = JSON.parse(readFileSync(path, "utf-8")) as { events: RunEvent[] };
      try {
        pick(events, attribute(node, "at") ?? "", of, fieldsOf(of).axes);
      } catch (error) {
        file.fail((error as Error).message, node);
      }
    }

    function checkRecording(node: Node, id: string): string {
      const recording = attribute(node, "recording") ?? "default";
      const path = fileOf(
        recordedAs(
          described.find((lab) => lab.id === id)!,
          recording,
        ),
        recording,
      );
      if (!existsSync(path)) file.fail(`${id} has no recorded run ${recording}; make record writes it`, node);
      return path;
    }

    function checkLink(node: Node, url: string): void {
      if (url.startsWith("#")) {
        const id = decodeURIComponent(url.slice(1));
        if (!anchors.has(id))
          file.fail(
            `nothing on this page is called ${url}; there are ${[...anchors].map((one) => `#${one}`).join(", ")}`,
            node,
          );
      } else if (url.startsWith("/")) {
        const page = url.replace(/[?#].*$/, "");
        if (!pages.has(page)) file.fail(`no page has the address ${page} (a page's address ends in /)`, node);
      } else if (!/^(https?:|mailto:)/.test(url)) {
        file.fail(
          `write the link ${url || "without an address"} as /series/article/, #heading or https://…`,
          node,
        );
      }
    }
  };
}

/** The addresses that the site will have, read off the files that make them. */
function listPages(labs: string[]): Set<string> {
  const pages = new Set([
    "/",
    "/bench/",
    "/glossary/",
    "/rss.xml",
    ...labs.flatMap((id) => [`/labs/${id}/`, `/embed/${id}/`]),
  ]);
  for (const series of readdirSync(CONTENT)) {
    if (!existsSync(join(CONTENT, series, "series.json"))) continue;
    pages.add(`/${series}/`);
    for (const article of readdirSync(join(CONTENT, series)).filter((name) => name.endsWith(".mdx"))) {
      pages.add(`/${idOf(nameOf(`${series}/${article}`))}/`);
    }
  }
  return pages;
}

function words(node: Node): string {
  return node.value ?? (node.children ?? []).map(words).join("");
}

/** Binds the words of an article to its figures: <Term>, <Step>, <Set>, <Scrub>, marks in code and mathematics. What
 *  refers to something that is not there fails the build, with file and line. Part of check-article.ts. */
import type { Attribute } from "./mdx.ts";
import { readFileSync } from "node:fs";
import type { VFile } from "vfile";
import concepts from "../kit/concepts.json" with { type: "json" };
import series from "../kit/series.json" with { type: "json" };
import type { Manifest } from "../lab/manifest.ts";
import { allowed, parse, type Property } from "../lab/property.ts";
import "../words/speak/en.ts"; // to authors
import { isEngineEvent, type RunEvent } from "../runner/types.ts";
import { marksOf } from "./concept-code.ts";
import { fileOf, recordedAs } from "./recorded.ts";

export interface Placed {
  lab: string;
  recording: string;
}
interface Word {
  type: string;
  name?: string;
  value?: string;
  meta?: string | null;
  attributes?: Attribute[] | undefined;
}

/** `figures` are those of the page, by their name. */
export function proseCheck(figures: Map<string, Placed>, labs: Manifest[], file: VFile) {
  const list = (names: Iterable<string>) => [...names].join(", ") || "none";

  function concept(id: string | undefined, node: Word): void {
    if (!id || !(id in concepts || id in series))
      file.fail(
        `no concept is called ${id ?? "nothing"}; there are ${list(Object.keys(concepts))}`,
        node as never,
      );
  }

  function bind(node: Word): { name: string; placed: Placed; lab: Manifest | undefined } {
    const name = text(node, "figure");
    const placed = figures.get(name ?? "");
    if (!name || !placed)
      file.fail(
        `<${node.name}> needs figure="…", a figure on this page; there are ${list(figures.keys())}`,
        node as never,
      );
    return { name, placed, lab: labs.find(({ id }) => id === placed.lab) };
  }

  function property(node: Word, name: string): Property {
    const { placed, lab } = bind(node);
    const properties = lab?.params.properties ?? {};
    const found = properties[name];
    if (!found)
      file.fail(
        `${placed.lab} has no parameter ${name || "without a name"}; it has ${list(Object.keys(properties))}`,
        node as never,
      );
    return found;
  }

  function step(node: Word): void {
    const { placed, lab } = bind(node);
    const said = text(node, "n") ?? "";
    const recorded = fileOf(recordedAs(lab ?? { id: placed.lab }, placed.recording), placed.recording);
    const { events } = JSON.parse(readFileSync(recorded, "utf-8")) as { events: RunEvent[] };
    const count = events.filter((event) => !isEngineEvent(event)).length;
    if (!/^[1-9]\d*$/.test(said) || Number(said) > count)
      file.fail(
        `<Step> needs n={a step of the recorded run ${placed.recording} of ${placed.lab}, 1 to ${count}}, not ${said || "nothing"}`,
        node as never,
      );
  }

  function set(node: Word): void {
    bind(node);
    const names = (node.attributes ?? [])
      .map(({ name }) => name)
      .filter((name) => !["figure", "step"].includes(name));
    if (names.length === 0) file.fail("<Set> needs a parameter to set, as in bits={4}", node as never);
    const step = text(node, "step");
    if (step !== undefined && !/^[1-9]\d*$/.test(step))
      file.fail(`<Set> shows a step if it has step={3}, counted from 1, not ${step}`, node as never);
    for (const name of names) {
      const wanted = property(node, name);
      const said = text(node, name) ?? "";
      if (parse(wanted, said) === undefined)
        file.fail(`${name} must be ${allowed(wanted)}, not ${said || "nothing"}`, node as never);
    }
  }

  function scrub(node: Word): void {
    const { type } = property(node, text(node, "param") ?? "");
    if (type !== "integer" && type !== "number")
      file.fail(`<Scrub> shows a number, and ${text(node, "param")} is none`, node as never);
    // The component cannot see the page; what its figure is, it is told here.
    const { lab, recording } = bind(node).placed;
    for (const [name, value] of Object.entries({ lab, recording }))
      node.attributes!.push({ type: "mdxJsxAttribute", name, value });
  }

  return (node: Word): void => {
    if (node.name === "Term") concept(text(node, "of"), node);
    else if (node.name === "Step") step(node);
    else if (node.name === "Set") set(node);
    else if (node.name === "Scrub") scrub(node);
    else if (node.type === "code") for (const { id } of marksOf(node.meta)) concept(id, node);
    else if (node.type === "math" || node.type === "inlineMath")
      for (const [, id] of (node.value ?? "").matchAll(/\\of\{(\w*)\}/g)) concept(id, node);
  };
}

/** An attribute as it was written: name="text" or name={literal}. */
function text(node: Word, name: string): string | undefined {
  const value = node.attributes?.find((one) => one.name === name)?.value;
  if (typeof value === "string") return value;
  const written = (value as { value?: string } | undefined)?.value?.trim();
  return written?.replace(/^(["'])(.*)\1$/, "$2");
}

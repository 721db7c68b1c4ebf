/** Fails the build, with file and line, on an exercise that could not be solved, and hands its components what only
 *  the whole article knows: numbers, labs of figures, parameters of runs. A remark plugin. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Root } from "mdast";
import type { VFile } from "vfile";
import type { Manifest } from "../lab/manifest.ts";
import { allowed, parse } from "../lab/property.ts";
import "../words/speak/en.ts"; // to authors
import { pick } from "../lab/value.ts";
import type { Params, RunEvent } from "../runner/types.ts";
import { fieldsOf, manifests } from "./manifests.ts";
import { attributeOf, give, textOf, walk, type Node } from "./mdx.ts";

const CONTENT = join(process.cwd(), "..", "content");
const TAKES: Record<string, string[]> = {
  Exercise: ["id", "title"],
  Hint: [],
  Answer: [],
  Blank: ["label", "answer", "of", "at", "recording", "as", "unit", "tolerance", "among", "mistakes", "id"],
  Choice: ["label", "id"],
  Option: ["right", "says", "set"],
  Predict: ["figure", "set", "at", "label", "as", "unit", "wins", "id"],
  CodeTask: ["task", "id"],
};
const PARTS = ["Blank", "Choice", "Predict", "CodeTask"];

interface Recording {
  params: Params;
  events: RunEvent[];
}
interface Figure {
  lab: Manifest;
  recording: Recording;
}

export function checkExercise() {
  return (root: Root, file: VFile): void => {
    const labs = new Map(manifests().map((lab) => [lab.id, lab]));
    const fail = (words: string, node: Node): never => file.fail(words, node as never);
    const figures = new Map<string, Node>();
    const ids = new Set<string>();
    const exercises: Node[] = [];
    let alone = 0;

    walk(root as Node, (node, parents) => {
      if (node.name === "Lab")
        figures.set(textOf(node, "name") ?? textOf(node, "id")?.split("/")[1] ?? "", node);
      const takes = TAKES[node.name ?? ""];
      if (!takes || !node.name) return;
      for (const { name } of node.attributes ?? [])
        if (!takes.includes(name))
          fail(`<${node.name}> does not take ${name}; it takes ${takes.join(", ") || "nothing"}`, node);
      const within = (...names: string[]) => parents.some((parent) => names.includes(parent.name ?? ""));
      if (node.name === "Option") {
        if (!within("Choice", "Predict")) fail("<Option> belongs into a <Choice> or a <Predict>", node);
      } else if (node.name === "Exercise") exercises.push(node);
      else if (!PARTS.includes(node.name)) {
        if (!within("Exercise")) fail(`<${node.name}> belongs into an <Exercise>`, node);
      } else if (within("Exercise")) {
        if (attributeOf(node, "id"))
          fail(`<${node.name}> in an <Exercise> takes no id: that one has it`, node);
      } else {
        needs(node, "id", "of its own, as it stands outside an <Exercise>");
        alone++;
      }
      const id = textOf(node, "id");
      if (id && ids.has(id)) fail(`two exercises on this page are called ${id}`, node);
      if (id) ids.add(id);
    });

    exercises.forEach((exercise, place) => {
      needs(exercise, "id", "a name for links, and to keep what was solved");
      needs(exercise, "title", "what it is about");
      if (PARTS.every((name) => inside(exercise, name).length === 0))
        fail(`<Exercise> asks nothing: put a ${PARTS.join(", ")} into it`, exercise);
      if (inside(exercise, "Answer").length !== 1)
        fail("<Exercise> needs one <Answer>, for readers who are stuck or have no scripts", exercise);
      give(exercise, "number", `${place + 1}`);
      const hints = inside(exercise, "Hint");
      hints.forEach((hint, at) => (give(hint, "number", `${at + 1}`), give(hint, "of", `${hints.length}`)));
    });
    for (const blank of inside(root as Node, "Blank")) checkBlank(blank);
    for (const choice of inside(root as Node, "Choice")) checkChoice(choice);
    for (const predict of inside(root as Node, "Predict")) checkPredict(predict);
    for (const task of inside(root as Node, "CodeTask")) checkTask(task);
    const data = file.data as { astro?: { frontmatter?: Record<string, unknown> } };
    ((data.astro ??= {}).frontmatter ??= {})["exercises"] = exercises.length + alone;

    function needs(node: Node, name: string, words: string): string {
      return textOf(node, name)?.trim() || fail(`<${node.name}> needs ${name}="…", ${words}`, node);
    }

    function labAt(node: Node, id: string): Manifest {
      return labs.get(id) ?? fail(`no lab is called ${id}; there are ${[...labs.keys()].join(", ")}`, node);
    }

    function recordingAt(node: Node, lab: string, name: string): Recording {
      const path = join(CONTENT, "recordings", lab, `${name}.json`);
      if (!existsSync(path))
        fail(
          `${lab} has no recorded run ${name}; python -m underhood.record ${lab} --name ${name} makes it`,
          node,
        );
      return JSON.parse(readFileSync(path, "utf-8")) as Recording;
    }

    function checkReading(node: Node, events: RunEvent[], at: string, lab: string): void {
      try {
        pick(events, at, lab, fieldsOf(lab).axes);
      } catch (error) {
        fail((error as Error).message.replace("<Value", `<${node.name}`), node);
      }
    }

    function checkBlank(node: Node): void {
      needs(node, "label", "what belongs there, for those who do not see the sentence around it");
      if (attributeOf(node, "answer")) return;
      const lab =
        textOf(node, "of") ?? fail('<Blank> needs answer={…}, or of="series/lab" and at="kind.field"', node);
      labAt(node, lab);
      const { events } = recordingAt(node, lab, textOf(node, "recording") ?? "default");
      checkReading(node, events, needs(node, "at", "as <Value> does"), lab);
      const mistakes = attributeOf(node, "mistakes")?.value;
      for (const [, at] of (typeof mistakes === "object" ? (mistakes?.value ?? "") : "").matchAll(
        /\bat: "([^"]+)"/g,
      ))
        checkReading(node, events, at!, lab);
    }

    function checkChoice(node: Node): void {
      needs(node, "label", "the question");
      const options = inside(node, "Option");
      if (options.length < 2 || !options.some((one) => attributeOf(one, "right")))
        fail("<Choice> needs two options or more, and <Option right> for each that holds", node);
    }

    function checkPredict(node: Node): void {
      needs(node, "label", "what is guessed");
      const key = needs(node, "figure", "the name of a figure on this page");
      const names = [...figures.keys()].join(", ") || "none";
      const figure = figureOf(
        figures.get(key) ?? fail(`no figure here is called ${key}; there are ${names}`, node),
      );
      checkReading(node, figure.recording.events, needs(node, "at", "as <Value> does"), figure.lab.id);
      give(node, "lab", figure.lab.id);
      const options = inside(node, "Option");
      if (options.length === 0) giveParams(node, figure);
      else {
        if (!["most", "least"].includes(needs(node, "wins", '"most" or "least"')))
          fail('wins is "most" or "least"', node);
        for (const option of options) giveParams(option, figure);
      }
    }

    function figureOf(node: Node): Figure {
      const lab = labAt(node, textOf(node, "id") ?? "");
      return { lab, recording: recordingAt(node, lab.id, textOf(node, "recording") ?? "default") };
    }

    /** `set="bits=3 scheme=symmetric"`, over the parameters that the figure first shows. */
    function giveParams(node: Node, { lab, recording }: Figure): void {
      const params = { ...recording.params };
      for (const pair of needs(node, "set", "the parameters of its run").trim().split(/\s+/)) {
        const [name = "", text = ""] = pair.split("=");
        const known = Object.keys(lab.params.properties).join(", ");
        const property =
          lab.params.properties[name] ?? fail(`${lab.id} has no ${name}; it has ${known}`, node);
        params[name] = parse(property, text) ?? fail(`${name} is ${allowed(property)}, not “${text}”`, node);
      }
      give(node, "params", JSON.stringify(params));
    }

    function checkTask(node: Node): void {
      const path = needs(node, "task", "series/name of a file in content/<series>/tasks").replace(
        "/",
        "/tasks/",
      );
      if (!existsSync(join(CONTENT, `${path}.py`))) fail(`there is no task content/${path}.py`, node);
    }
  };
}

function inside(root: Node, name: string): Node[] {
  const found: Node[] = [];
  walk(root, (node) => {
    if (node.name === name) found.push(node);
  });
  return found;
}

/** The lab as a notebook. The build makes one with the lab's own defaults; here its parameters become the reader's. */
import type { Params, Value } from "../runner/types";
import { later } from "../words";

interface Cell {
  cell_type: string;
  metadata: { tags?: string[] };
  source: string[];
}
interface Notebook {
  cells: Cell[];
}

const python = (value: Value) =>
  typeof value === "boolean"
    ? value
      ? "True"
      : "False"
    : typeof value === "string"
      ? JSON.stringify(value)
      : value;

export async function notebook(lab: string, params: Params, floats: Set<string>): Promise<string> {
  const answer = await fetch(`/labs/${lab}.ipynb`);
  if (!answer.ok) throw new Error(later().panels.take.noNotebook(answer.status));
  const made = (await answer.json()) as Notebook;
  const cell = made.cells.find(({ metadata }) => metadata.tags?.includes("parameters"))!;
  cell.source = [
    "params = Params(\n",
    ...Object.entries(params).map(([name, value]) => {
      const whole = floats.has(name) && Number.isInteger(value);
      return `    ${name}=${python(value)}${whole ? ".0" : ""},\n`;
    }),
    ")",
  ];
  return JSON.stringify(made, null, 1) + "\n";
}

/** Loops as a figure names and colours them. */
import type { Row } from "../../../generated/compilers/mlir_lowering/types";
import { number } from "../../../words";
import type { Concept } from "../../../kit/concept";

export const CONCEPTS: Record<Row["kind"], Concept> = {
  loop: "weight",
  tile: "scale",
  vector: "code",
  parallel: "activation",
  reduction: "gradient",
  grid: "scale",
  threads: "activation",
  work: "time",
  block: "address",
};

/** How often a loop runs, and what it takes each time. */
export function trips({ kind, trips, step }: Row): string {
  if (kind === "work" || kind === "grid" || kind === "threads" || kind === "block") return "";
  const times = trips < 0 ? "as often as an outer loop says" : `${number(trips)}×`;
  if (kind === "tile") return `${times} a tile of ${number(step)}`;
  if (kind === "vector") return `${times} ${number(step)} lanes`;
  if (kind === "parallel") return `${times} in any order`;
  return kind === "reduction" ? `${times} into one` : times;
}

/** Without the dialect that the stage already names. */
export const plain = (name: string): string => name.replace(/^(torch\.aten|linalg|tensor)\./, "");

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

/** What a loop does each time, in words. */
export function trips({ kind, trips, step, to }: Row): string {
  if (kind === "block") return to.length > 0 ? `may go on to ${to.join(" or ")}` : "ends";
  if (kind === "work" || kind === "grid" || kind === "threads") return "";
  const times = trips < 0 ? "as often as an outer one says" : `${number(trips)} times`;
  if (kind === "tile") return `${times}, a tile of ${number(step)} each`;
  if (kind === "vector") return `${times}, ${number(step)} at once`;
  if (kind === "parallel") return `${times}, in any order`;
  return kind === "reduction" ? `${times}, into one` : times;
}

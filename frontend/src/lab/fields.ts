/** Fetches what a lab says of the fields of its events: only tables and exercises need that. */
import { later } from "../words";
import type { Axes } from "./axes";

export interface Fields {
  /** By field. */
  meanings: Record<string, string>;
  axes: Axes;
}

export async function fetchFields(lab: string): Promise<Fields> {
  const answer = await fetch(`/labs/${lab}.fields.json`).catch(() => undefined);
  if (!answer?.ok) throw new Error(later().panels.data.unknown);
  return (await answer.json()) as Fields;
}

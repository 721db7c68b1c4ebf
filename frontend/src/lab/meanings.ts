/** Fetches what the fields of a lab's events mean: only its tables need that. */
import { later } from "../words";

export async function fetchMeanings(lab: string): Promise<Record<string, string>> {
  const answer = await fetch(`/labs/${lab}.fields.json`).catch(() => undefined);
  if (!answer?.ok) throw new Error(later().panels.data.unknown);
  return (await answer.json()) as Record<string, string>;
}

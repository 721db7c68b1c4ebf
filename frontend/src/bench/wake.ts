/** Wakes the parts of a bench: what the build wrote into the page, with all that can be done with it. */
import { hydrate } from "svelte";
import History from "./History.svelte";
import Late from "./Late.svelte";

export function wake(): void {
  const host = document.querySelector<HTMLElement>("[data-history]")!;
  const props = JSON.parse(document.querySelector("[data-history-props]")!.textContent!) as never;
  hydrate(History, { target: host, props });
  host.dataset.live = "";
  for (const place of document.querySelectorAll<HTMLElement>("[data-bench]"))
    hydrate(Late, { target: place, props: { part: place.dataset.bench as "bring" | "together" } });
}

/** Wakes the figure of the home page when it comes into view. */
import { flushSync, hydrate } from "svelte";
import { drawingOf } from "../lab/drawings";
import type { Lab } from "../lab/manifest";
import { decode } from "../runner/array";

async function hydrateHero(host: HTMLElement): Promise<void> {
  const props = decode<{ lab: Lab }>(
    JSON.parse(host.parentElement!.querySelector("[data-props]")!.textContent!),
  );
  const [hero, drawing] = await Promise.all([import("./Hero.svelte"), drawingOf(props.lab.id)]);
  // Its own props are checked where the page is built; here they only come back from JSON.
  hydrate(hero.default, { target: host, props: { ...props, drawing } as never });
  flushSync();
  host.dataset.live = "";
}

export function wake(): void {
  const host = document.querySelector<HTMLElement>("[data-hero]")!;
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    void hydrateHero(host);
  });
  watch.observe(host);
}

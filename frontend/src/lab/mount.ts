/** Wakes the figures of a page: each is hydrated, with the code that draws it, when it is on the screen, when it comes
 *  near it under a reader who has begun to move, or when words ask something of it. */
import { flushSync, hydrate } from "svelte";
import { decode } from "../runner/array";
import { whenRead } from "../runner/idle";
import type { Wish } from "./channel";
import { drawingOf } from "./drawings";
import type { Lab } from "./manifest";

async function hydrateFigure(host: HTMLElement): Promise<void> {
  const target = host.querySelector<HTMLElement>("[data-figure]")!;
  const props = decode<{ lab: Lab }>(JSON.parse(host.querySelector("[data-props]")!.textContent!));
  const [frame, drawing] = await Promise.all([import("./Figure.svelte"), drawingOf(props.lab.id)]);
  await new Promise((done) => setTimeout(done)); // figures that arrive together wake one after another
  // Figure's own props are checked where the page is built; here they only come back from JSON.
  hydrate(frame.default, { target, props: { ...props, drawing } as never });
  flushSync(); // from here on it answers
  host.dataset.live = "";
}

export function wake(): void {
  const waking = new Map<Element, Promise<void>>();
  const once = (host: HTMLElement) => {
    if (!waking.has(host)) waking.set(host, hydrateFigure(host));
    return waking.get(host)!;
  };
  /** A figure that sleeps is asked again once it is awake. */
  const asked = (event: CustomEvent<Wish>) => {
    const host = event.currentTarget as HTMLElement;
    if ("live" in host.dataset) return;
    void once(host).then(() => host.dispatchEvent(new CustomEvent(event.type, { detail: event.detail })));
  };
  const within = (rootMargin: string) =>
    new IntersectionObserver(
      (entries, watch) => {
        for (const { target } of entries.filter((one) => one.isIntersecting)) {
          watch.unobserve(target);
          void once(target as HTMLElement);
        }
      },
      { rootMargin },
    );
  const seen = within("0px");
  const hosts = document.querySelectorAll<HTMLElement>("[data-lab]:not([data-awake])");
  for (const host of hosts) {
    host.setAttribute("data-awake", "");
    host.addEventListener("figure-ask", asked);
    seen.observe(host);
  }
  whenRead(() => {
    const near = within("400px");
    hosts.forEach((host) => near.observe(host));
  });
  const [figure, panel] = location.hash.slice(1).split("/");
  if (panel) document.getElementById(figure!)?.scrollIntoView(); // no element has the name of a panel
}

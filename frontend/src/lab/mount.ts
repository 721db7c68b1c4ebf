/** Wakes the figures of a page: each is hydrated, with the code that draws it, when it is on the screen, when it comes
 *  near it under a reader who has begun to move, or when words ask something of it. */
import { whenRead } from "../runner/idle";
import type { Wish } from "./channel";
import { hydrated } from "./hydrated";

export function wake(): void {
  const waking = new Map<Element, Promise<void>>();
  const once = (host: HTMLElement) => {
    if (!waking.has(host))
      waking.set(
        host,
        hydrated(host, () => import("./Figure.svelte")),
      );
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

/** Wakes the figure of the home page when it comes into view. */
import { hydrated } from "../lab/hydrated";

export function wake(): void {
  const host = document.querySelector<HTMLElement>("[data-hero]")!;
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    void hydrated(host, () => import("./Hero.svelte"));
  });
  watch.observe(host);
}

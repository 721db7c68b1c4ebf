/** Wakes the figures of a page: each is hydrated, with the code that draws it, when it comes near the screen. */
import { hydrate } from "svelte";
import { decode } from "../runner/array";
import { drawingOf } from "./drawings";

async function hydrateFigure(host: HTMLElement): Promise<void> {
  const target = host.querySelector<HTMLElement>("[data-figure]")!;
  const props = decode<{ id: string }>(JSON.parse(host.querySelector("[data-props]")!.textContent!));
  const [frame, drawing] = await Promise.all([import("./Figure.svelte"), drawingOf(props.id)]);
  // Figure's own props are checked where the page is built; here they only come back from JSON.
  hydrate(frame.default, { target, props: { ...props, drawing } as never });
  host.dataset.live = "";
}

export function wake(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        near.unobserve(entry.target);
        void hydrateFigure(entry.target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  for (const host of document.querySelectorAll("[data-lab]:not([data-awake])")) {
    host.setAttribute("data-awake", "");
    near.observe(host);
  }
}

/** Wakes what the build has drawn of a lab: with the code that draws it, and the props that the page carries. */
import { flushSync, hydrate, type Component } from "svelte";
import { decode } from "../runner/array";
import { drawingOf } from "./drawings";
import type { Lab } from "./manifest";

/** `host` holds the drawn part, marked `data-figure`, and the props beside it. */
export async function hydrated(
  host: HTMLElement,
  // Its own props are checked where the page is built; here they only come back from JSON.
  load: () => Promise<{ default: Component<never> }>,
): Promise<void> {
  const target = host.querySelector<HTMLElement>("[data-figure]")!;
  const props = decode<{ lab: Lab }>(JSON.parse(host.querySelector("[data-props]")!.textContent!));
  const [component, drawing] = await Promise.all([load(), drawingOf(props.lab.id)]);
  await new Promise((done) => setTimeout(done)); // figures that arrive together wake one after another
  hydrate(component.default, { target, props: { ...props, drawing } as never });
  flushSync(); // from here on it answers
  host.dataset.live = "";
}

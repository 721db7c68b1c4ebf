/** Wakes the figures of an article that lies on a disk. The file carries what its figures would fetch. */
import { mount } from "svelte";
import type { Drawing } from "../lab/drawing";
import Figure from "../lab/Figure.svelte";
import type { Lab } from "../lab/manifest";
import { decode } from "../runner/array";

const carried = (address: string) =>
  [...document.querySelectorAll<HTMLElement>("[data-carried]")].find(
    (one) => one.dataset.carried === address,
  );

globalThis.fetch = async (address) => {
  const text = carried(String(address))?.textContent;
  if (text === undefined) throw new TypeError("this copy of the article has no server");
  return new Response(text);
};

export function wake(drawings: Record<string, Drawing>): void {
  for (const host of document.querySelectorAll<HTMLElement>("[data-lab]")) {
    const props = decode<{ lab: Lab }>(JSON.parse(host.querySelector("[data-props]")!.textContent!));
    const target = host.querySelector("[data-figure]")!;
    target.replaceChildren(); // what differs from the page on the server is drawn anew
    mount(Figure, { target, props: { ...props, drawing: drawings[props.lab.id]! } as never });
    host.dataset.live = "";
  }
}

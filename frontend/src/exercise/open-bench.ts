/** Puts a workbench into a page. */
import { mount, unmount, type ComponentProps } from "svelte";
import Workbench from "./Workbench.svelte";

export function open(target: HTMLElement, props: ComponentProps<typeof Workbench>): () => Promise<void> {
  const made = mount(Workbench, { target, props });
  return () => unmount(made);
}

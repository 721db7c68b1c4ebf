/** What a panel under a figure is given: the lab, its current run, and the element that holds the picture. */
import type { Component } from "svelte";
import type { Drawing } from "./drawing";
import type { Lab } from "./manifest";
import type { Run } from "./run.svelte";

export interface PanelProps {
  lab: Lab;
  run: Run;
  /** The figure's name in links and anchors. */
  name: string;
  /** What the figure is, for those who cannot see it. */
  label: string;
  /** The element that the current picture is drawn in. */
  picture: HTMLElement;
  /** What draws an event of this lab. */
  drawing: Drawing;
  /** What the address asks of this panel: `#figure/panel=…`. */
  asked: string;
}

export type Panel = Component<PanelProps>;

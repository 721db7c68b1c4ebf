/** Plotly with the two kinds of traces that a surface needs, and nothing that would want a function made from a text. */
import core from "../plotly";
import scatter3d from "plotly.js/lib/scatter3d";
import surface from "plotly.js/lib/surface";

export interface Camera {
  eye: { x: number; y: number; z: number };
}
export interface Host extends HTMLElement {
  layout?: { scene?: { camera?: Camera } };
  on?(event: string, then: (told: { points: { x: number; y: number }[] }) => void): void;
}
export interface Plotly {
  register(traces: unknown[]): void;
  react(host: Host, data: object[], layout: object, config: object): Promise<unknown>;
  relayout(host: Host, update: object): Promise<unknown>;
  restyle(host: Host, update: object, traces: number[]): Promise<unknown>;
  purge(host: Host): void;
  downloadImage(host: Host, as: object): Promise<unknown>;
}

export const plotly = core as Plotly;
plotly.register([surface, scatter3d]);

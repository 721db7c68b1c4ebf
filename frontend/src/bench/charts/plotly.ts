/** Plotly, fetched when a chart comes into view. */

export interface Figure {
  data: object[];
  layout: Record<string, unknown>;
}
export interface Host extends HTMLElement {
  /** How far an axis reaches: in powers of ten where it is logarithmic, as a date where it holds those. */
  _fullLayout?: Record<"xaxis" | "yaxis", Axis>;
  /** Once something is drawn in it. */
  on?(event: "plotly_relayout", then: () => void): void;
}
interface Axis {
  type: string;
  range: [unknown, unknown];
  tickmode: string;
  dtick?: unknown;
  d2l(value: unknown): number;
  r2l(value: unknown): number;
  l2r(value: number): unknown;
}
export interface Plotly {
  react(host: Host, data: object[], layout: object, config: object): Promise<unknown>;
  relayout(host: Host, update: object): Promise<unknown>;
  purge(host: Host): void;
  toImage(
    figure: Host | Figure,
    as: { format: "png" | "svg"; width: number; height: number; scale?: number },
  ): Promise<string>;
  Fx: {
    hover(host: Host, points: { curveNumber: number; pointNumber: number }[]): void;
    unhover(host: Host): void;
  };
}

/** What an axis shows: powers of ten where it is logarithmic. */
export const reach = ({ range, r2l }: Axis) => range.map(r2l) as [number, number];

export function shows(axis: Axis, value: number | string): boolean {
  const [low, high] = reach(axis);
  return low <= axis.d2l(value) && axis.d2l(value) <= high;
}

let coming: Promise<Plotly> | undefined;

export const plotly = (): Promise<Plotly> =>
  (coming ??= import("../../kit/plotly").then((made) => made.default as Plotly));

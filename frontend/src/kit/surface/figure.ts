/** A surface as Plotly wants it: traces, and how axes look in the colours of the page. */
import { plain, type Colours } from "../charting";
import { say } from "../scale";
import { extent, told, type Grid, type Parameter, type Place } from "./grid";

export interface SceneProps {
  name: string;
  grid: Grid;
  mark: Place | undefined;
  path: Place[];
  other: { name: string; values: ArrayLike<number> } | undefined;
  file: string;
  onpick: ((x: number, y: number) => void) | undefined;
}

const FONT = "Inter Variable, system-ui, sans-serif";
const AWAY = 2.45; // of the eye from the middle

/** The eye goes round the surface at an angle, above it at another, in degrees. */
export interface View {
  turn: number;
  tilt: number;
  away: number;
}
export const START: View = { turn: -55, tilt: 36, away: AWAY };
export const CENTRE = { x: 0, y: 0, z: -0.14 }; // room for the words below

export function eyeOf({ turn, tilt, away }: View) {
  const [round, up] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const flat = away * Math.cos(up);
  return { x: flat * Math.cos(round), y: flat * Math.sin(round), z: away * Math.sin(up) };
}

export function viewOf({ x, y, z }: { x: number; y: number; z: number }): View {
  const away = Math.hypot(x, y, z);
  return { turn: (Math.atan2(y, x) * 180) / Math.PI, tilt: (Math.asin(z / away) * 180) / Math.PI, away };
}

/** Plotly's own logarithmic axes put surfaces and points in different places, so it is given logarithms. */
type Axis = { log?: boolean };
const laid = ({ log }: Axis, value: number) => (log ? Math.log2(value) : value);
export const unlaid = ({ log }: Axis, value: number) => (log ? 2 ** value : value);
const laidAll = (of: Axis, values: ArrayLike<number>) => Array.from(values, (value) => laid(of, value));

const rowsOf = <T>({ x, y }: Grid, cell: (place: number) => T): T[][] =>
  Array.from({ length: y.values.length }, (_, row) =>
    Array.from({ length: x.values.length }, (_, column) => cell(row * x.values.length + column)),
  );

const words = (grid: Grid, values: ArrayLike<number>, name?: string) =>
  rowsOf(grid, (place) => {
    const across = grid.x.values.length;
    const [x, y] = [grid.x.values[place % across]!, grid.y.values[Math.floor(place / across)]!];
    return [...(name ? [name] : []), ...told(grid, { x, y, z: values[place]! })].map(plain).join("<br>");
  });

const sheet = (grid: Grid, values: ArrayLike<number>, colours: Colours, name?: string) => ({
  type: "surface",
  x: laidAll(grid.x, grid.x.values),
  y: laidAll(grid.y, grid.y.values),
  z: rowsOf(grid, (place) => (Number.isNaN(values[place]!) ? null : laid(grid.z, values[place]!))),
  text: words(grid, values, name),
  hoverinfo: "text",
  showscale: false,
  lighting: { ambient: 0.8, diffuse: 0.4, specular: 0.05, roughness: 0.9 },
  contours: { x: net(grid.x, colours), y: net(grid.y, colours) },
});

/** Lines of a net on the surface: at the values themselves, or at every second where there are many. */
function net(of: Parameter, colours: Colours) {
  const along = laidAll(of, of.values);
  const [start, end] = [along[0]!, along.at(-1)!];
  const size = (end - start) / Math.min(12, along.length - 1);
  return { show: true, color: colours.line, width: 1, start, end, size };
}

const points = (places: Place[], name: string, grid: Grid) => ({
  type: "scatter3d",
  x: places.map(({ x }) => laid(grid.x, x)),
  y: places.map(({ y }) => laid(grid.y, y)),
  z: places.map(({ z }) => laid(grid.z, z)),
  text: places.map((place) => [name, ...told(grid, place)].map(plain).join("<br>")),
  hoverinfo: "text",
  showlegend: false,
});

/** Up from the setting, so that it is seen behind a mountain, too. */
const pin = ({ x, y, z }: Place, grid: Grid, colour: string) => ({
  type: "scatter3d",
  mode: "lines",
  x: [x, x].map((one) => laid(grid.x, one)),
  y: [y, y].map((one) => laid(grid.y, one)),
  z: [z, Math.max(z, extent(grid)[1])].map((one) => laid(grid.z, one)),
  hoverinfo: "skip",
  showlegend: false,
  line: { color: colour, width: 2 },
});

/** The traces: the surface, another one, the path, the setting, and where the keys have come to. */
export function tracesOf(
  { grid, mark, path, other }: SceneProps,
  cursor: Place | undefined,
  names: { mark: string; path: string },
  colours: Colours,
): object[] {
  const scale = [0, 2].map((slot, place) => [place, colours.slots[slot]]);
  const ring = (colour: string, edge: string, size: number) => ({
    mode: "markers",
    marker: { color: colour, size, line: { color: edge, width: 2 } },
  });
  return [
    { ...sheet(grid, grid.values, colours), colorscale: scale },
    ...(other
      ? [
          {
            ...sheet(grid, other.values, colours, other.name),
            surfacecolor: rowsOf(grid, () => 0),
            colorscale: [0, 1].map((end) => [end, colours.soft]),
            opacity: 0.35,
          },
        ]
      : []),
    ...(path.length > 1
      ? [{ ...points(path, names.path, grid), mode: "lines", line: { color: colours.ink, width: 5 } }]
      : []),
    ...(mark
      ? [
          { ...points([mark], names.mark, grid), ...ring(colours.ink, colours.raised, 8) },
          pin(mark, grid, colours.ink),
        ]
      : []),
    ...(cursor ? [{ ...points([cursor], "", grid), ...ring(colours.raised, colours.ink, 6) }] : []),
  ];
}

export function layoutOf({ grid }: SceneProps, colours: Colours, small: boolean) {
  const axis = ({ name, log, unit }: Omit<Parameter, "values">, values: ArrayLike<number>) => ({
    title: { text: plain(unit ? `${name}, ${unit}` : name), font: { size: small ? 11 : 12 } },
    type: "linear",
    color: colours.soft,
    gridcolor: colours.line,
    zerolinecolor: colours.line,
    backgroundcolor: colours.raised,
    showbackground: false,
    showspikes: false,
    ...(log ? marks(values) : { nticks: 5 }),
  });
  return {
    scene: {
      xaxis: axis(grid.x, grid.x.values),
      yaxis: axis(grid.y, grid.y.values),
      zaxis: {
        ...axis(grid.z, decades(extent(grid))),
        ...(grid.z.from === undefined ? {} : { range: [grid.z.from, null] }),
      },
      aspectmode: "manual",
      aspectratio: { x: 1.15, y: 1.15, z: 0.8 },
    },
    uirevision: "kept", // what a reader has turned stays turned
    margin: { l: 0, r: 0, t: 0, b: 0 },
    font: { family: FONT, size: small ? 10 : 11, color: colours.soft },
    paper_bgcolor: colours.raised,
    hoverlabel: {
      bgcolor: colours.raised,
      bordercolor: colours.soft,
      align: "left",
      font: { family: FONT, size: 12, color: colours.ink },
      namelength: -1,
    },
  };
}

/** As many of them as there is room for words. */
function marks(values: ArrayLike<number>) {
  const every = Math.max(1, Math.ceil(values.length / 5));
  const named = Array.from(values).filter((_, place) => place % every === 0);
  return { tickvals: named.map(Math.log2), ticktext: named.map((value) => say(value, 4)) };
}

/** 1, 2 and 5 of each power of ten between two numbers. */
function decades([low, high]: [number, number]): number[] {
  const powers = Array.from({ length: 13 }, (_, place) => 10 ** (place - 6));
  return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter((one) => low <= one && one <= high);
}

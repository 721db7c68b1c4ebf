/** A chart as Plotly wants it: traces, and how axes look in the colours of the page. */
import type { Axis, Drawn, Point, Series } from "./series";
import { look } from "./look";
import { plain, SLOTS, type Colours } from "../../kit/charting";
import { reach, type Figure, type Host } from "./plotly";

/** Letters that a name in the legend of a picture has room for on a line. */
const WIDEST = 90;

/** A long name in lines: those of a phone, or of a picture. */
function broken(words: string, most = 44): string[] {
  const lines = [""];
  const parts = words.split(/(?<=,) /).flatMap((part) => part.match(new RegExp(`.{1,${most}}`, "gu")) ?? []);
  for (const part of parts) {
    const longer = [lines.at(-1), part].filter(Boolean).join(" ");
    if (longer.length > most && lines.at(-1)) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Ticks of an axis over so many powers of ten: at 1, 2 and 5 while there is room for their words. */
function logTicks(powers: number, key: "xaxis" | "yaxis", small: boolean) {
  if (powers < 1) return { tickmode: "auto", nticks: small ? 3 : 5 };
  const most = key === "xaxis" ? (small ? 1.8 : 4) : small ? 4 : 5;
  return { tickmode: "linear", tick0: 0, dtick: powers <= most ? "D2" : Math.ceil(powers / 8) };
}

/** What has to change for ticks to fit what the axes reach over now. */
export function ticksNow(axes: Required<Host>["_fullLayout"], { x }: Drawn, small: boolean) {
  const changes: Record<string, unknown> = {};
  for (const key of ["xaxis", "yaxis"] as const) {
    const { type, tickmode, dtick } = axes[key];
    if (type !== "log" || (key === "xaxis" && x.marks)) continue;
    const [low, high] = reach(axes[key]);
    const wanted = logTicks(high - low, key, small);
    if (tickmode === wanted.tickmode && (!("dtick" in wanted) || dtick === wanted.dtick)) continue;
    for (const [name, value] of Object.entries(wanted)) changes[`${key}.${name}`] = value;
  }
  return changes;
}

/** Over how many powers of ten they reach. */
function powersOf(values: (number | string)[]): number {
  const found = values.filter((value): value is number => typeof value === "number" && value > 0);
  return found.length > 0 ? Math.log10(Math.max(...found) / Math.min(...found)) : 0;
}

/** As many of them as there is room for words. */
function apart(marks: number[], share: number): number[] {
  const ratio = (marks.at(-1)! / marks[0]!) ** share;
  const named: number[] = [];
  for (const mark of marks) if (mark / (named.at(-1) ?? 0) >= ratio) named.push(mark);
  return named;
}

const spread = (points: Point[], colour: string) => ({
  type: "data",
  symmetric: false,
  array: points.map(({ y, high }) => (high ?? y) - y),
  arrayminus: points.map(({ y, low }) => y - (low ?? y)),
  color: colour,
  thickness: 1,
  width: 0,
});

function trace({ name, points, slot, bound, apart }: Series, shown: boolean, colours: Colours): object {
  const colour = colours.slots[slot % SLOTS]!;
  const { dash, symbol } = look(slot);
  return {
    type: "scatter",
    mode: bound ? "lines" : apart ? "markers" : "lines+markers",
    name: broken(name, WIDEST).map(plain).join("<br>"),
    x: points.map(({ x }) => x),
    y: points.map(({ y }) => y),
    hovertext: points.map(({ words }) =>
      words
        .flatMap((line) => broken(line))
        .map(plain)
        .join("<br>"),
    ),
    hoverinfo: "text",
    visible: shown,
    showlegend: !bound,
    legendgroup: plain(name),
    line: { color: colour, width: bound ? 1.25 : 2, dash: bound ?? dash },
    marker: { color: colour, size: 8, symbol },
    ...(bound ? { opacity: 0.75 } : { error_y: spread(points, colour) }),
  };
}

/** `only` is the name of what alone is shown. */
export function figureOf(
  { series, x, y }: Drawn,
  colours: Colours,
  only: string | undefined,
  small: boolean,
): Figure {
  const ticks = ({ kind, marks }: Axis, key: "xaxis" | "yaxis") => {
    if (kind === "date") return { tickformatstops: DAYS, nticks: small ? 4 : 8 };
    if (kind === "linear") return { rangemode: "tozero", tickformat: ",~r" };
    if (marks?.length) return { tickformat: ",", tickvals: apart(marks, small ? 0.15 : 0.05) };
    const values = series.flatMap(({ points }) => points.map((one) => (key === "xaxis" ? one.x : one.y)));
    return { tickformat: ",~r", ...logTicks(powersOf(values), key, small) };
  };
  const axis = (of: Axis, key: "xaxis" | "yaxis") => ({
    title: { text: plain(of.title), standoff: 8 },
    type: of.kind,
    gridcolor: colours.line,
    linecolor: colours.line,
    zeroline: false,
    automargin: true,
    ...ticks(of, key),
  });
  return {
    data: series.map((one) => trace(one, only === undefined || one.name === only, colours)),
    layout: {
      xaxis: axis(x, "xaxis"),
      yaxis: axis(y, "yaxis"),
      font: { family: "Inter Variable, system-ui, sans-serif", size: small ? 11 : 12, color: colours.soft },
      paper_bgcolor: colours.raised,
      plot_bgcolor: colours.raised,
      margin: { l: 16, r: 16, t: 12, b: 8 },
      showlegend: false,
      hovermode: "closest",
      hoverlabel: {
        bgcolor: colours.raised,
        bordercolor: colours.soft,
        align: "left",
        font: { family: "Inter Variable, system-ui, sans-serif", size: 12, color: colours.ink },
        namelength: -1,
      },
    },
  };
}

const DAYS = [
  { dtickrange: [null, 60_000], value: "%H:%M:%S\n%e %b %Y" },
  { dtickrange: [60_000, 86_400_000], value: "%H:%M\n%e %b %Y" },
  { dtickrange: [86_400_000, null], value: "%e %b %Y" },
];

/** The same for a file: it brings its legend, since nothing stands around it, and is as high as that needs. */
export function alone({ data, layout }: Figure, title: string) {
  const named = (data as { name: string; showlegend: boolean }[]).filter(({ showlegend }) => showlegend);
  const lines = named.flatMap(({ name }) => name.split("<br>")).length;
  const figure: Figure = {
    data,
    layout: {
      ...layout,
      showlegend: true,
      legend: { orientation: "v", x: 0, y: -0.16, xanchor: "left", yanchor: "top", tracegroupgap: 0 },
      title: { text: plain(title), x: 0.02, font: { size: 16 } },
      margin: { l: 16, r: 24, t: 56, b: 16 },
    },
  };
  return { figure, size: { width: 1000, height: 560 + 20 * lines } };
}

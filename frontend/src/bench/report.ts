/** A report: one HTML file with charts, numbers and where they come from, which needs neither us nor a script. */
import { say } from "../kit/scale";
import { lang, later, moment, number, texts } from "../words";
import { coloursOf } from "../kit/charting";
import { alone, figureOf } from "./charts/figure";
import { plotly } from "./charts/plotly";
import { MOST, overSize, overTime, roofed, roofline, shortly, telling, type Drawn } from "./charts/series";
import { gflops, type Entry } from "./entries";

const escape = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const STYLE = `body{max-width:64rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:#1b1c1e}
img{width:100%;height:auto}table{border-collapse:collapse;font-size:.85em;font-variant-numeric:tabular-nums}
h2{overflow-wrap:anywhere}
th,td{padding:.25em .8em .25em 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
dl{display:grid;grid-template-columns:auto 1fr;gap:.1em 1em;font-size:.9em}dt{color:#5b5d61}dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto}`;

/** The text of the file; what was not chosen is too much for one chart. `host` is where the colours of paper are found. */
export async function report(entries: Entry[], host: HTMLElement, chosen: boolean): Promise<string> {
  const w = later().charts;
  const m = texts().machines;
  const drawer = await plotly();
  const colours = onPaper(() => coloursOf(host));
  const draw = async (name: string, drawn: Drawn) => {
    if (drawn.series.length === 0) return "";
    const { figure, size } = alone(figureOf(drawn, colours, undefined, false), name);
    const url = await drawer.toImage(figure, { format: "svg", ...size });
    return `<figure><img src="${escape(url)}" alt="${escape(name)}"></figure>`;
  };
  const few = (of: Entry[]) => (chosen ? of : telling(of).slice(0, MOST));
  const sized = few(entries);
  const about = chosen ? "" : `<p>${escape(w.aboutFew(sized.length, telling(entries).length))}</p>\n`;
  const charts = [
    await draw(w.size, overSize(sized, sized.length === 1, w.words)),
    await draw(w.roofs, roofline(few(entries.filter(roofed)), w.words)),
    await draw(w.time, overTime(entries, w.words)),
  ];
  const title = w.report(entries.length);
  return `<!doctype html>
<html lang="${lang()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escape(title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(title)}</h1><p>${escape(w.made(moment(new Date().toISOString())))}</p>
${about}${charts.join("\n")}
${entries.map((entry, place) => section(entry, place, m)).join("\n")}
</body></html>
`;
}

type Machines = ReturnType<typeof texts>["machines"];

function section(
  { lab, params, provenance, rows, roofs, origin }: Entry,
  place: number,
  m: Machines,
): string {
  const w = later().charts.words;
  const facts: [string, string][] = [
    [m.machine, provenance.machine],
    [m.when, moment(provenance.at)],
    [m.lab, `${lab}, ${provenance.lab_version}`],
    ...Object.entries(provenance.versions),
    [
      m.settings,
      Object.entries(params)
        .filter(([, value]) => value !== true)
        .map(([name, value]) => `${name} = ${value}`)
        .join(", "),
    ],
    ...(roofs
      ? [
          [
            "",
            [
              w.peak(`${gflops(roofs.peak)} GFLOP/s`),
              w.memory(say(roofs.memory, 3)),
              w.cache(say(roofs.cache, 3)),
            ].join("; "),
          ] as [string, string],
        ]
      : []),
  ];
  const cells = rows.map(({ kernel, n, speed, roof }) => [
    kernel,
    number(n),
    ...speed.map(gflops),
    roof ? `${say((100 * speed[1]) / roof, 2)} %` : "…",
  ]);
  const line = (of: string[], tag: string) =>
    `<tr>${of.map((one) => `<${tag}>${escape(one)}</${tag}>`).join("")}</tr>`;
  const head = [m.kernel, "n", ...later().charts.quartiles, m.share];
  return `<h2>${escape(`${m.run(place + 1)}: ${shortly({ params, provenance } as Entry)} (${m.origin[origin]})`)}</h2>
<dl>${facts.map(([name, fact]) => `<dt>${escape(name)}</dt><dd>${escape(fact)}</dd>`).join("")}</dl>
<div class="scroll"><table><thead>${line(head, "th")}</thead><tbody>${cells.map((of) => line(of, "td")).join("")}</tbody></table></div>`;
}

/** Paper is white, whatever the screen shows. */
function onPaper<T>(look: () => T): T {
  const { style } = document.documentElement;
  const before = style.colorScheme;
  style.colorScheme = "light";
  try {
    return look();
  } finally {
    style.colorScheme = before;
  }
}

/** Charts of measured machines. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const charts = {
  charts: "Charts",
  chart: "chart",
  size: "Over the size",
  roofs: "Below the roofs",
  time: "Over time",
  aboutFew: (drawn: number, all: number) =>
    `Of each machine and precision, the newest run of several sizes.${drawn < all ? ` ${drawn} of ${all} are drawn.` : ""}`,
  aboutList: "Choose runs in the list below to see those alone.",
  aboutChosen: "The runs that are chosen in the list below.",
  aboutRoofs: "Lines are what a machine reads from memory (solid) and from a cache (dotted), up to its peak.",
  aboutTime: "The fastest product of each run, at the time of the run.",
  halfway:
    "A large product keeps more of a machine at work than a small one. For each run, the smallest size, in rows and columns, at which it reaches half of its best speed:",
  ridges:
    "Left of the point where its roofs meet, memory limits a machine; right of it, its arithmetic does. Operations for each byte at that point:",
  every: "Every kernel",
  view: "What is shown",
  in: "Zoom in",
  out: "Zoom out",
  whole: "All of it",
  drag: "What dragging does",
  zoom: "Drag to zoom",
  pan: "Drag to move",
  log: "Log axis",
  coming: "The chart is being loaded…",
  failed: "The chart could not be loaded. Its numbers are in the table below.",
  keys: "Keys: left and right go from point to point, up and down from series to series; Enter isolates a series; + and − zoom, Shift with arrows moves, 0 shows all.",
  legend: "Series: choose one to see it alone",
  table: "The numbers as a table",
  series: "Series",
  source: "Where it comes from",
  quartiles: ["lower quartile, GFLOP/s", "median, GFLOP/s", "upper quartile, GFLOP/s"],
  report: (count: number) => `Bench: ${counted(count, "run", "runs")}`,
  made: (when: string) => `Written by Underhood, ${when}.`,
  words: {
    rows: "Rows and columns",
    gflops: "GFLOP/s",
    intensity: "Operations for each byte",
    when: "Time (UTC)",
    memory: (speed: string) => `Memory: ${speed} GB/s`,
    cache: (speed: string) => `Cache: ${speed} GB/s`,
    peak: (speed: string) => `Peak: ${speed}`,
    share: (percent: string) => `${percent} % of the peak`,
    between: (low: string, high: string) => `Middle half: ${low} to ${high}`,
    versions: (versions: string) => versions,
  },
};

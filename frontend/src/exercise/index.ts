/** What an article can ask of its reader: every component of this folder, by the name of its file. */
import type { AstroComponentFactory } from "astro/runtime/server/index.js";

const files = import.meta.glob<{ default: AstroComponentFactory }>("./*.astro", { eager: true });

export const exercises = Object.fromEntries(
  Object.entries(files).map(([path, { default: component }]) => [
    path.slice("./".length, -".astro".length),
    component,
  ]),
);

/** Words of what opens on a reader's wish; they come with it. */
import { bench } from "./bench.ts";
import { panels } from "./panels.ts";
import { source } from "./source.ts";

export const later = { bench, panels, source };

export type Later = typeof later;

/** Words of what opens on a reader's wish; they come with it. */
import { bench } from "./bench.ts";
import { brought } from "./brought.ts";
import { charts } from "./charts.ts";
import { panels } from "./panels.ts";
import { source } from "./source.ts";
import { together } from "./together.ts";

export const later = { bench, brought, charts, panels, source, together };

export type Later = typeof later;

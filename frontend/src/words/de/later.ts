/** Worte für das, was erst auf Wunsch aufgeht. */
import type { Later } from "../en/later.ts";
import { bench } from "./bench.ts";
import { brought } from "./brought.ts";
import { charts } from "./charts.ts";
import { panels } from "./panels.ts";
import { source } from "./source.ts";
import { together } from "./together.ts";

export const later: Later = { bench, brought, charts, panels, source, together };

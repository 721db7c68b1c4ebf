/** Worte für das, was erst auf Wunsch aufgeht. */
import type { Later } from "../en/later.ts";
import { bench } from "./bench.ts";
import { panels } from "./panels.ts";
import { source } from "./source.ts";

export const later: Later = { bench, panels, source };

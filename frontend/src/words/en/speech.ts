import type { Speech } from "../index.ts";
import { en } from "./index.ts";

export const speech: Speech = { lang: "en", words: en, later: () => import("./later.ts"), catalogue: {} };

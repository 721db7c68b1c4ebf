/** Deutsch. */
import type { Words } from "../en/index.ts";
import { exercise } from "./exercise.ts";
import { figure } from "./figure.ts";
import { machines } from "./machines.ts";
import { notation } from "./notation.ts";
import { runner } from "./runner.ts";
import { site } from "./site.ts";

export const de: Words = { exercise, figure, machines, notation, runner, site };

/** English: the source of all dictionaries. */
import { exercise } from "./exercise.ts";
import { figure } from "./figure.ts";
import { machines } from "./machines.ts";
import { notation } from "./notation.ts";
import { runner } from "./runner.ts";
import { site } from "./site.ts";

export const en = { exercise, figure, machines, notation, runner, site };

/** A dictionary: whatever this one has, every other must have. */
export type Words = typeof en;

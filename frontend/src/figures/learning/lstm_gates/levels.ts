/** The memory of one unit, step by step, out of the bytes of the strips. */
import type { Picture } from "../../../generated/learning/lstm_gates/types";
import { at } from "../../../kit/arrays";

export interface Level {
  /** The memory that a step finds, what is kept of it, and what it leaves. */
  before: number;
  kept: number;
  after: number;
}

export interface Levels {
  steps: Level[];
  /** The largest of its values in the run, and of what was proposed to it. */
  most: number;
}

/** From −1 to 1. */
export const signed = (byte: number): number => (byte - 127) / 127;

export function levels({ cell, candidate, forget, peak }: Picture, unit: number): Levels {
  const memory = (step: number) => (step < 0 ? 0 : peak * signed(at(cell, step, unit)));
  const steps = Array.from({ length: cell.shape[0]! }, (_, step) => {
    const before = memory(step - 1);
    return { before, kept: (before * at(forget, step, unit)) / 254, after: memory(step) };
  });
  const proposed = steps.map((_, step) => Math.abs(signed(at(candidate, step, unit))));
  return { steps, most: Math.max(0.05, ...steps.map(({ after }) => Math.abs(after)), ...proposed) };
}

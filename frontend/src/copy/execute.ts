/** A file on a disk may start no worker and compile no WebAssembly: what it shows was recorded. */
import type { Call, Result } from "../kit/code/execute.worker";
import { texts } from "../words";

export const execute = (_call: Call): { result: Promise<Result>; stop: () => void } => ({
  result: Promise.resolve({ problem: texts().figure.panels.copyPlays }),
  stop: () => undefined,
});

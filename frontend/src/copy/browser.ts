/** In place of Python in the browser, which a file on a disk cannot start. */
import type { Runner } from "../runner/types";
import { texts } from "../words";

export const browser: Runner = {
  async *run() {
    yield { kind: "end", status: "failed", reason: texts().figure.panels.copyPlays };
  },
};

export const warm = async (): Promise<void> => undefined;

/** Python never comes here. */
export const state = () => "absent" as const;
export const remembered = () => null;

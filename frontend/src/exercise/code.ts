/** A function to write. The editor and Python come when the reader opens them. */
import { beforeOpening } from "../lab/opening";
import { asked, put, say, type Waking } from "./part";
import { texts } from "../words";

interface Asked {
  task: string;
  stub: string;
}

export const code: Waking = (part) => {
  const { host } = part;
  const w = texts().exercise.code;
  const { task, stub } = asked<Asked>(host);
  const bench = host.querySelector<HTMLElement>("[data-bench]")!;
  const button = host.querySelector<HTMLButtonElement>("[data-open]")!;
  const shown = bench.innerHTML;
  let close: (() => Promise<void>) | undefined;

  button.addEventListener("click", async () => {
    button.disabled = true;
    say(host, w.loading);
    try {
      const [{ open }] = await Promise.all([import("./open-bench"), beforeOpening()]);
      bench.replaceChildren();
      close = open(bench, {
        task,
        stub,
        draft: part.kept?.given || stub,
        onedit: (given) => part.draft(given),
        onsolved: (given) => part.solve(given),
      });
      button.hidden = true;
      say(host, "");
    } catch (error) {
      say(host, w.unloaded((error as Error).message), "wrong");
    } finally {
      button.disabled = false;
    }
  });

  return () => {
    if (!part.kept && close) {
      void close();
      close = undefined;
      bench.innerHTML = shown;
      button.hidden = false;
    }
    const outcome = part.kept?.outcome;
    if (close) return; // the bench speaks for itself
    put(button, part.kept?.given ? w.open : w.write);
    say(host, outcome === "solved" ? w.solved : "", outcome === "solved" ? "right" : "");
  };
};

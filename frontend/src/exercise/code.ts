/** A function to write. The editor and Python come when the reader opens them. */
import { laterStyles } from "../lab/later-styles";
import { asked, say, type Waking } from "./part";

interface Asked {
  task: string;
  stub: string;
}

export const code: Waking = (part) => {
  const { host } = part;
  const { task, stub } = asked<Asked>(host);
  const bench = host.querySelector<HTMLElement>("[data-bench]")!;
  const button = host.querySelector<HTMLButtonElement>("[data-open]")!;
  const shown = bench.innerHTML;
  let close: (() => Promise<void>) | undefined;

  button.addEventListener("click", async () => {
    button.disabled = true;
    say(host, "Loading the editor…");
    try {
      const [{ open }] = await Promise.all([import("./open-bench"), laterStyles()]);
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
      say(host, `The editor could not be loaded (${(error as Error).message}). Try again.`, "wrong");
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
    button.textContent = part.kept?.given ? "Open your code" : "Write it here";
    say(host, outcome === "solved" ? "Solved." : "", outcome === "solved" ? "right" : "");
  };
};

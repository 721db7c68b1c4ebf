/** Asks a lab of the server about what the reader has set, where there is a server: what only its machine can tell.
 *  Of a text it is asked about the examples alone: a server executes nothing that a reader wrote. */
import { offer } from "../runner/offers";
import { runners } from "../runner/resolve";
import { isEngineEvent, type Params, type Provenance, type Started } from "../runner/types";
import type { Answer } from "./drawing";
import type { Run } from "./run.svelte";

/** A reader who types has stopped. */
const PAUSE_MS = 600;

const { cpu } = runners();

export function ask(run: Run, say: (answer?: Answer) => void): void {
  const [lab, ...names] = run.lab.asks!;
  const { properties } = run.lab.params;
  const offered = (name: string) => {
    const { examples } = properties[name]!;
    return !examples || Object.values(examples).includes(String(run.made[name]));
  };
  const known = new Map<string, Answer>();
  $effect.root(() => {
    /** The parameters that both labs have, as text: whatever else changes asks nothing anew. */
    const asked = $derived(
      run.untouched || !names.every(offered)
        ? ""
        : JSON.stringify(names.map((name) => [name, run.made[name]])),
    );
    $effect(() => {
      const answer = known.get(asked);
      say(answer);
      if (!asked || answer) return;
      const control = new AbortController();
      const params = Object.fromEntries(JSON.parse(asked) as [string, string][]);
      const timer = setTimeout(() => void wait(asked, params, control.signal), PAUSE_MS);
      return () => {
        clearTimeout(timer);
        control.abort();
      };
    });

    async function wait(key: string, params: Params, signal: AbortSignal): Promise<void> {
      const { available } = await offer("cpu", ["cpu"]);
      if (!available || signal.aborted) return;
      say({});
      let provenance: Provenance | undefined;
      for await (const event of cpu.run(lab!, params, signal)) {
        if (signal.aborted) return;
        if (event.kind === "started") ({ provenance } = event as Started);
        else if (!isEngineEvent(event)) known.set(key, { event, provenance: provenance! });
      }
      if (!signal.aborted) say(known.get(key)); // without an answer, the recording stays
    }
  });
}

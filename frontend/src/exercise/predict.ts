/** A guess that is committed before the run; then the figure runs, and the guess is marked beside what came out. It
 *  is never called right or wrong: to have guessed before looking is all that is asked. */
import type { Format } from "../lab/value";
import type { Params } from "../runner/types";
import { group } from "./choice";
import type { Reading } from "./figure.svelte";
import { read } from "./number";
import { asked, put, say, type Waking } from "./part";
import { texts } from "../words";

interface Asked extends Reading {
  as: Format;
  unit: string;
  /** All parameters of the run whose number is guessed; absent where options compete. */
  params?: Params;
  wins?: "most" | "least";
}

type Write = (value: number, as: Format) => string;

export const predict: Waking = (part) => {
  const { host } = part;
  const w = texts().exercise.predict;
  const question = asked<Asked>(host);
  const field = host.querySelector<HTMLInputElement>(".guess input");
  const options = [...host.querySelectorAll<HTMLElement>(".option")];
  const boxes = options.map((option) => option.querySelector("input")!);
  const button = host.querySelector<HTMLButtonElement>("[data-check]")!;
  const skip = host.querySelector<HTMLButtonElement>("[data-skip]")!;
  /** What is run for an answer: the one whose number is guessed, or one for each option. */
  const runs = field
    ? [question.params!]
    : options.map((option) => JSON.parse(option.dataset.params!) as Params);
  const asRun = (params: Params) => `${question.at} ${JSON.stringify(params)}`;
  group(host, boxes);

  const guess = () => (field ? field.value.trim() : String(boxes.findIndex((box) => box.checked)));
  const guessed = () => (field ? Number.isFinite(read(field.value, question.unit)) : guess() !== "-1");

  async function run(skipped: boolean) {
    if (host.ariaBusy === "true") return;
    if (!skipped && !guessed()) return refuse(field ? w.untyped : w.unchosen);
    const given = skipped ? "" : guess();
    host.ariaBusy = "true";
    if (given) part.draft(given); // committed: it stays, whatever becomes of the run and of this page
    host.dataset.run = "";
    clear();
    say(host, w.running);
    try {
      const { measure } = await import("./figure.svelte");
      const out: number[] = [];
      for (const params of runs) out.push(await measure(question, params));
      const found = Object.fromEntries(runs.map((params, place) => [asRun(params), out[place]!]));
      if (skipped) part.reveal(found);
      else part.compare(given, found);
      say(host, await compare(given, out), skipped ? "shown" : "guess");
    } catch (error) {
      say(host, w.failed((error as Error).message), "wrong");
    } finally {
      host.ariaBusy = null;
    }
  }
  function refuse(words: string) {
    host.dataset.run = "";
    say(host, words, "wrong");
  }
  button.addEventListener("click", () => void run(false));
  skip.addEventListener("click", () => void run(true));
  field?.addEventListener("keydown", (event) => event.key === "Enter" && void run(false));

  /** Marks what the runs measured beside the guess, and says it. */
  async function compare(given: string, found: number[]): Promise<string> {
    const { format } = await import("../lab/value");
    return field ? compareNumber(given, found[0]!, format) : compareRuns(given, found, format);
  }

  /** What an earlier visit's run said; nothing runs for it. */
  async function recall(given: string, found: number[]): Promise<void> {
    const { kept } = part;
    await import("../lab/value"); // before anything is said, so that a run begun meanwhile keeps the word
    if (host.ariaBusy === "true" || part.kept !== kept) return;
    host.dataset.run = "";
    say(host, w.before(await compare(given, found)), given ? "guess" : "shown");
  }

  function compareNumber(given: string, out: number, format: Write): string {
    const { as, unit } = question;
    const phrase = (value: number) => [format(value, as), as === "number" ? unit : ""].join(" ").trim();
    const mine = given ? read(given, unit) : undefined;
    mark(mine, out, phrase);
    if (mine === undefined) return w.gives(phrase(out));
    if (format(mine, as) === format(out, as)) return w.met(phrase(mine));
    const share = out ? format(Math.abs(mine / out - 1), "percent") : "";
    return w.off(phrase(mine), phrase(out), phrase(Math.abs(mine - out)), mine > out, share);
  }

  /** Both numbers on one line, together with zero, so that their distance has a measure. */
  function mark(mine: number | undefined, out: number, phrase: (value: number) => string): void {
    const all = [0, out, ...(mine === undefined ? [] : [mine])];
    const low = Math.min(...all);
    const span = Math.max(...all) - low || 1;
    place(".yours", mine, w.yours);
    place(".run", out, w.theirs);
    host.querySelector(".axis")!.toggleAttribute("data-marked", true);

    function place(mark: string, value: number | undefined, words: (value: string) => string) {
      const element = host.querySelector<HTMLElement>(mark)!;
      element.hidden = value === undefined;
      if (value === undefined) return;
      element.style.left = `${(100 * (value - low)) / span}%`;
      element.textContent = words(phrase(value));
    }
  }

  function compareRuns(given: string, found: number[], format: Write): string {
    options.forEach((option, place) => {
      option.querySelector("output")!.textContent =
        `${format(found[place]!, question.as)} ${question.unit}`.trim();
    });
    const best = Math[question.wins === "least" ? "min" : "max"](...found);
    const winners = options.filter((_, place) => found[place] === best);
    for (const option of winners) option.toggleAttribute("data-marked", true);
    const named = winners
      .map((option) => w.quoted(option.querySelector(".words")!.textContent!.trim()))
      .join(` ${w.both} `);
    const met = given && found[Number(given)] === best;
    return met ? w.asSaid(named) : given ? w.otherwise(named) : `${named}.`;
  }

  /** What earlier runs said. */
  function clear() {
    host.querySelector(".axis")?.removeAttribute("data-marked");
    for (const option of options) {
      option.removeAttribute("data-marked");
      put(option.querySelector("output")!, "");
    }
  }

  return () => {
    const { outcome, given = "", found } = part.kept ?? {};
    if (field) field.value = given;
    else boxes.forEach((box, place) => (box.checked = String(place) === given));
    put(button, outcome ? w.again : w.run);
    skip.hidden = !!outcome;
    if (host.ariaBusy === "true") return; // the run speaks for itself
    clear();
    const before = runs.map((params) => found?.[asRun(params)]);
    if (before.every((value) => value !== undefined)) void recall(given, before);
    host.toggleAttribute("data-run", !!given);
    say(host, given && w.kept, "shown");
  };
};

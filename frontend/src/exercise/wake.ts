/** Makes the exercises of a page work, and counts them. */
import { blank } from "./blank";
import { choice } from "./choice";
import { code } from "./code";
import { partOf, put, type Part, type Waking } from "./part";
import { predict } from "./predict";
import { progress, type Outcome } from "./progress";
import { texts } from "../words";

const OUTCOMES = ["solved", "guessed", "shown"] as const;
const KINDS: Record<string, Waking> = { blank, choice, predict, code };

interface Exercise {
  host: HTMLElement;
  parts: Part[];
}

export function wake(): void {
  const exercises = [...document.querySelectorAll<HTMLElement>("[data-exercise]")].map(wakeExercise);
  const summary = document.querySelector<HTMLElement>("[data-progress]")!;
  const [all, clear] = summary.querySelectorAll("button") as unknown as [
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  all.addEventListener("click", () => exercises.forEach(reveal));
  clear.addEventListener("click", () => {
    progress.clear();
    for (const answer of document.querySelectorAll<HTMLDetailsElement>("details.answer")) answer.open = false;
  });
  const says = summary.querySelector("[role=status]")!;
  const none = says.textContent;
  const count = () => {
    const [solved, guessed, shown] = OUTCOMES.map(
      (outcome) => exercises.filter((one) => outcomeOf(one) === outcome).length,
    ) as [number, number, number];
    // The build has counted none: what knows the plurals of a language takes its time to start.
    const begun = solved + guessed + shown > 0;
    put(says, begun ? texts().exercise.progress.count(solved, exercises.length, guessed, shown) : none);
    all.disabled = solved + guessed + shown === exercises.length;
    clear.disabled = exercises.every(({ parts }) => parts.every((part) => !part.kept));
  };
  progress.addEventListener("change", count);
  count();
}

function wakeExercise(host: HTMLElement): Exercise {
  const found = host.matches("[data-part]") ? [host] : host.querySelectorAll<HTMLElement>("[data-part]");
  const parts = [...found].map((one, place) =>
    partOf(one, place > 0 ? `${host.id}.${place + 1}` : host.id, KINDS[one.dataset.part!]!),
  );
  const exercise = { host, parts };
  const w = texts().exercise;
  const answer = host.querySelector<HTMLDetailsElement>("details.answer");
  answer?.addEventListener("toggle", () => answer.open && reveal(exercise));
  const state = host.querySelector<HTMLElement>("[data-state]");
  const mark = () => {
    host.dataset.outcome = outcomeOf(exercise) ?? "";
    if (state)
      put(
        state,
        { solved: `✓ ${w.solved}`, guessed: w.guessed, shown: w.shown, "": "" }[host.dataset.outcome]!,
      );
    if (answer) put(answer.querySelector("summary")!, host.dataset.outcome ? w.answer : w.showAnswer);
  };
  progress.addEventListener("change", mark);
  mark();
  return exercise;
}

/** Shows the answers to whatever is not solved yet. */
function reveal({ host, parts }: Exercise): void {
  const answer = host.querySelector<HTMLDetailsElement>("details.answer");
  if (answer) answer.open = true;
  for (const part of parts) part.reveal();
}

/** Solved: whatever has a right answer was answered so, and each guess was compared with its run. Where all that is
 *  asked are guesses, there is nothing to solve. */
function outcomeOf({ parts }: Exercise): Outcome | undefined {
  const outcomes = parts.map((part) => part.kept?.outcome);
  if (outcomes.includes(undefined)) return undefined;
  if (outcomes.includes("shown")) return "shown";
  return outcomes.includes("solved") ? "solved" : "guessed";
}

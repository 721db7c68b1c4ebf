/** A gap in a sentence: a number with its tolerance and its known mistakes, or a word out of a list. */
import { judge, type Mistake, type Tolerance, type Verdict } from "./number";
import { asked, say, type Waking } from "./part";
import { texts } from "../words";

interface Asked {
  answer: number | string;
  /** The answer as prose writes it. */
  words: string;
  tolerance?: Tolerance;
  unit?: string;
  mistakes: Mistake[];
}

function verdict(given: string, { answer, tolerance, unit, mistakes }: Asked): Verdict {
  if (typeof answer === "number") return judge(given, answer, { tolerance, unit, mistakes });
  if (given === answer) return { right: true, says: "" };
  const mistake = mistakes.find((one) => String(one.value) === given);
  return { right: false, says: mistake?.says ?? (given ? texts().exercise.wrong : texts().exercise.empty) };
}

export const blank: Waking = (part) => {
  const { host } = part;
  const field = host.querySelector<HTMLInputElement | HTMLSelectElement>("input, select")!;
  const buttons = host.querySelectorAll("button");
  const question = asked<Asked>(host);

  function check() {
    if (part.kept?.outcome) return;
    const { right, says } = verdict(field.value, question);
    field.ariaInvalid = right ? null : "true";
    if (!right) return say(host, says, "wrong");
    field.focus({ preventScroll: true }); // the button that has the focus is about to go
    part.solve(field.value);
  }
  host.querySelector("[data-check]")!.addEventListener("click", check);
  host.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter" && event.target === field) check();
  });
  field.addEventListener("input", () => {
    field.ariaInvalid = null;
    if (!part.kept?.outcome) say(host, "");
  });

  return () => {
    const { outcome, given = "" } = part.kept ?? {};
    const focused = host.contains(document.activeElement);
    // What was solved in another language is shown in this one.
    field.value = outcome === "shown" || (outcome && field.tagName === "SELECT") ? question.words : given;
    if ("readOnly" in field) field.readOnly = !!outcome;
    else field.ariaDisabled = outcome ? "true" : null;
    field.ariaInvalid = null;
    for (const button of buttons) button.hidden = !!outcome;
    if (focused) field.focus({ preventScroll: true });
    const w = texts().exercise.blank;
    if (outcome === "solved") say(host, w.solved, "right");
    else say(host, outcome ? w.shown : "", outcome && "shown");
  };
};

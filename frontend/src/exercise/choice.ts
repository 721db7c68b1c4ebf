/** One answer out of several, or all that hold where more than one does. */
import { say, type Waking } from "./part";
import { texts } from "../words";

export const choice: Waking = (part) => {
  const { host } = part;
  const w = texts().exercise;
  const options = [...host.querySelectorAll<HTMLElement>(".option")];
  const boxes = options.map((option) => option.querySelector("input")!);
  const right = options.map((option) => "right" in option.dataset);
  const several = right.filter(Boolean).length > 1;
  const buttons = host.querySelectorAll("button");
  group(host, boxes, several);

  const chosen = () => boxes.flatMap((box, place) => (box.checked ? [place] : []));
  const messages = (places: number[]) => places.map((place) => options[place]!.dataset.says ?? "").join(" ");

  host.querySelector("[data-check]")!.addEventListener("click", () => {
    const places = chosen();
    const wrong = places.filter((place) => !right[place]);
    if (places.length === 0) say(host, w.empty, "wrong");
    else if (wrong.length > 0) say(host, messages(wrong).trim() || w.wrong, "wrong");
    else if (places.length < right.filter(Boolean).length) say(host, w.more, "wrong");
    else {
      boxes[places[0]!]!.focus({ preventScroll: true }); // the button that has the focus is about to go
      part.solve(places.join(","));
    }
  });
  host.addEventListener("change", () => say(host, ""));

  return () => {
    const outcome = part.kept?.outcome;
    boxes.forEach((box, place) => {
      if (outcome) box.checked = right[place]!;
      else if (!part.kept) box.checked = false;
      box.disabled = !!outcome && !right[place];
      options[place]!.toggleAttribute("data-marked", !!outcome && right[place]!);
    });
    for (const button of buttons) button.hidden = !!outcome;
    const reasons = messages(right.flatMap((holds, place) => (holds ? [place] : [])));
    if (outcome === "solved") say(host, `${w.right} ${reasons}`, "right");
    else say(host, outcome ? `${w.marked} ${reasons}` : "", outcome && "shown");
  };
};

let groups = 0;

/** Radio buttons are one question only if they share a name. */
export function group(host: HTMLElement, boxes: HTMLInputElement[], several = false): void {
  groups++;
  for (const box of boxes) {
    box.name = `${host.dataset.part}-${groups}`;
    if (several) box.type = "checkbox";
  }
}

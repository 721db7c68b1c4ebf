/** A figure in somebody else's page: its address says what is set, fixed and left out; the parent hears its height. */
import { PARTS } from "../export/snippet";
import { texts } from "../words";

const THEMES = ["light", "dark"];

/** In an embedded figure's address parameters need no prefix: `?bits=3` is `?number_line.bits=3`. */
function settle(key: string): string[] {
  const url = new URL(location.href);
  const problems: string[] = [];
  const w = texts().figure.link;
  for (const [name, value] of [...url.searchParams]) {
    if (name === "hide") {
      const unknown = value.split(",").filter((part) => part && !(PARTS as readonly string[]).includes(part));
      for (const part of unknown) problems.push(w.hide(part, PARTS.join(", ")));
    } else if (name === "theme") {
      if (!THEMES.includes(value)) problems.push(w.theme(value, THEMES));
    } else if (name === "motion") {
      if (value !== "less") problems.push(w.motion(value));
    } else if (!name.includes(".")) {
      url.searchParams.delete(name);
      url.searchParams.append(`${key}.${name}`, value);
    }
  }
  history.replaceState(history.state, "", url);
  return problems;
}

function complain(problems: string[]): void {
  const place = document.querySelector("#problems")!;
  place.replaceChildren(
    ...problems.map((words) => Object.assign(document.createElement("p"), { textContent: words })),
  );
}

/** The page around cannot measure what is in a frame from elsewhere, so the frame says it. */
function tellHeight(): void {
  const tell = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    parent.postMessage({ type: "underhood:height", height }, "*");
  };
  new ResizeObserver(tell).observe(document.body);
}

complain(settle(document.querySelector("[data-lab]")!.id));
if (parent !== window) tellHeight();

/** A figure's state in the address bar: every parameter and the step, so that a copied link reopens the picture. */
import type { Lab } from "./manifest";
import { allowed, parse, shorten, write } from "./property";
import { CHOICES, type Choice } from "../runner/resolve";
import type { Params } from "../runner/types";
import { texts } from "../words";

export interface LinkState {
  params: Params;
  /** Counted from 1, as the reader sees it. */
  step: number | undefined;
  /** Parameters that cannot be changed: a teacher's choice. */
  fixed: string[];
  /** Where to run, if not where the lab runs by itself. */
  on: Choice | undefined;
  /** What the link asked for and the figure does not take, in words. */
  problems: string[];
}

const WRITE_MS = 250; // browsers refuse more than about a hundred history changes in half a minute

/** The state that the current address asks of the figure `key`, or undefined if it says nothing about it. */
export function readLink(key: string, lab: Lab, base: Params): LinkState | undefined {
  const query = new URLSearchParams(location.search);
  const mine = [...query].filter(([name]) => name.startsWith(`${key}.`));
  if (mine.length === 0) return undefined;
  const state: LinkState = { params: { ...base }, step: undefined, fixed: [], on: undefined, problems: [] };
  const w = texts().figure.link;
  for (const [full, text] of mine) {
    const name = full.slice(key.length + 1);
    const property = lab.params.properties[name];
    if (name === "step") {
      if (/^[1-9]\d{0,5}$/.test(text)) state.step = Number(text);
      else state.problems.push(w.step(text));
    } else if (name === "fix") {
      state.fixed = text.split(",").filter((each) => each in lab.params.properties);
      for (const each of text.split(",").filter((one) => !state.fixed.includes(one)))
        state.problems.push(w.fix(each));
    } else if (name === "on") {
      state.on = CHOICES.find((choice) => choice === text);
      if (!state.on) state.problems.push(w.on(text, CHOICES.join(", ")));
    } else if (!property) state.problems.push(w.unknown(name));
    else {
      const value = parse(property, text);
      if (value !== undefined) state.params[name] = value;
      else state.problems.push(w.value(property.title, shorten(text), allowed(property, text)));
    }
  }
  return state;
}

/** The address of this page with the figure `key` in this state; undefined `params` removes it. */
export function linkTo(
  key: string,
  lab: Lab,
  params: Params | undefined,
  step = 0,
  hash = false,
  on?: Choice,
): string {
  const url = new URL(location.href);
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith(`${key}.`) && name !== `${key}.fix`) url.searchParams.delete(name);
  }
  if (params) {
    for (const [name, value] of Object.entries(params))
      url.searchParams.set(`${key}.${name}`, write(lab.params.properties[name]!, value));
    url.searchParams.set(`${key}.step`, String(step));
    if (on) url.searchParams.set(`${key}.on`, on);
  }
  if (hash) url.hash = key;
  return url.href;
}

const pending = new Map<string, () => string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Put the state of a figure into the address bar once it rests: while a slider moves, each change of the address
 *  would cost milliseconds, and browsers count them. No history entry is made. */
export function writeLink(
  key: string,
  lab: Lab,
  params: Params | undefined,
  step: number,
  on?: Choice,
): void {
  pending.set(key, () => linkTo(key, lab, params, step, false, on));
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const href of pending.values()) history.replaceState(history.state, "", href());
    pending.clear();
  }, WRITE_MS);
}

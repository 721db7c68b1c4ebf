/** Makes a number in prose a control of a figure: dragged sideways, stepped by keys, or typed. */
import { ask, hear } from "../lab/channel";
import { allowed, parse, type Property } from "../lab/property";
import { snap, stepOf, words } from "./number";
import { fromField, texts } from "../words";

/** So far the hand moves from one end of a range to the other; a whole number has at least so much for itself. */
const TRAVEL_PX = 240;
const ROOM_PX = 14;
const DEAD_PX = 3;

export function scrub(word: HTMLElement): void {
  const number = word.querySelector<HTMLElement>(".number")!;
  const { key, param, label } = word.dataset as { key: string; param: string; label: string };
  const property = JSON.parse(word.dataset.property!) as Property;
  const { minimum = 0, maximum = 1 } = property;
  const step = stepOf(property);
  const room = Math.max(property.type === "integer" ? ROOM_PX : 0, (TRAVEL_PX * step) / (maximum - minimum));
  let value = Number(fromField(number.textContent!).replace("−", "-"));

  function show(next: number): void {
    value = next;
    number.textContent = words(value);
    number.setAttribute("aria-valuenow", String(value));
    number.setAttribute("aria-valuetext", `${words(value)}${property.unit ? ` ${property.unit}` : ""}`);
  }
  function set(next: number): void {
    if (next === value) return;
    show(next);
    ask(key, { params: { [param]: next } });
  }

  for (const [name, text] of Object.entries({
    role: "slider",
    tabindex: "0",
    title: texts().figure.scrub.hint,
    "aria-label": label,
    "aria-valuemin": String(minimum),
    "aria-valuemax": String(maximum),
  }))
    number.setAttribute(name, text);
  show(value);
  hear(key, ({ params }) => {
    if (!held) show(params[param] as number);
  });

  /** Where the hand went down, and the value that it took hold of. */
  let held: { x: number; value: number; moved: boolean } | undefined;
  number.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = { x: event.clientX, value, moved: false };
    number.setPointerCapture(event.pointerId);
  });
  number.addEventListener("pointermove", (event) => {
    if (!held) return;
    const far = event.clientX - held.x;
    held.moved ||= Math.abs(far) > DEAD_PX;
    if (!held.moved) return;
    number.classList.add("held");
    const next = snap(property, held.value + Math.round(far / room) * step);
    if (word.dataset.eager) set(next);
    else show(next); // a heavy lab runs when the number is let go
  });
  const drop = (): void => {
    const was = held;
    held = undefined;
    number.classList.remove("held");
    if (was && value !== was.value) ask(key, { params: { [param]: value } });
  };
  number.addEventListener("pointerup", drop);
  number.addEventListener("pointercancel", drop);

  number.addEventListener("keydown", (event) => {
    const by: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in by) set(snap(property, value + by[event.key]! * step));
    else if (event.key === "Home") set(minimum);
    else if (event.key === "End") set(maximum);
    else if (event.key === "Enter") type();
    else return;
    event.preventDefault();
  });
  number.addEventListener("dblclick", type);

  /** A field over the number; the number keeps its place, so that no word moves. */
  function type(): void {
    const field = document.createElement("input");
    field.type = "text";
    field.inputMode = "decimal";
    field.autocomplete = "off";
    field.value = words(value);
    field.setAttribute("aria-label", label);
    word.append(field);
    field.select();

    const close = (focus: boolean) => {
      field.onblur = null;
      field.remove();
      if (focus) number.focus();
    };
    const take = (focus: boolean) => {
      const read = parse(property, fromField(field.value));
      if (typeof read === "number") {
        close(focus);
        set(read);
        return;
      }
      field.setAttribute("aria-invalid", "true");
      field.setCustomValidity(texts().figure.control.must(property.title, allowed(property)));
      field.reportValidity();
    };
    field.oninput = () => {
      field.removeAttribute("aria-invalid");
      field.setCustomValidity("");
    };
    field.onblur = () => {
      if (parse(property, fromField(field.value)) === undefined) close(false);
      else take(false);
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter") take(true);
      else if (event.key === "Escape") close(true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }
}

/** Cards open by themselves when the mouse rests on their word or the keyboard reaches it. What is native stays so:
 *  tap, Enter, Esc, and a click elsewhere. */
const REST_MS = 150;
const LEAVE_MS = 250;

export function wakeCards(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(
    "button[popovertarget]:not([data-awake])",
  )) {
    button.dataset.awake = "";
    wake(button, document.getElementById(button.getAttribute("popovertarget")!)!);
  }
}

function wake(button: HTMLButtonElement, card: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let byItself = false; // opened by hover or focus, so a click keeps it instead of closing it
  let closing = false; // closing gives the focus back to the word, which must not open it again

  const isOpen = () => card.matches(":popover-open");
  const later = (act: () => void, wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
  const open = () => {
    if (isOpen()) return;
    byItself = true;
    card.showPopover();
  };
  const close = () => {
    if (!byItself || !isOpen() || card.matches(":focus-within")) return;
    card.hidePopover();
    closing = false; // the focus was elsewhere, so it is not given back
  };

  for (const part of [button, card]) {
    part.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && later(open, REST_MS));
    part.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && later(close, LEAVE_MS));
    part.addEventListener("focusout", (event) => {
      const to = event.relatedTarget as Node | null;
      if (to && to !== button && !card.contains(to)) close();
    });
  }
  button.addEventListener("focus", () => !closing && button.matches(":focus-visible") && open());
  button.addEventListener("click", (event) => {
    if (!byItself || !isOpen()) return;
    byItself = false;
    event.preventDefault();
  });
  card.addEventListener("beforetoggle", (event) => {
    closing = (event as ToggleEvent).newState === "closed";
    if (!closing) return;
    clearTimeout(timer);
    byItself = false;
    setTimeout(() => (closing = false));
  });
  if (!CSS.supports("position-area: bottom"))
    card.addEventListener("toggle", () => isOpen() && place(button, card));
}

/** For browsers that cannot tie a card to its word themselves: below it, above where there is no room. */
function place(button: HTMLElement, card: HTMLElement): void {
  card.dataset.placed = "";
  const word = button.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(8, Math.min(word.left, innerWidth - width - 8));
  const below = word.bottom + height + 16 < innerHeight;
  card.style.left = `${left}px`;
  card.style.top = `${below ? word.bottom : Math.max(8, word.top - height - 16)}px`;
}

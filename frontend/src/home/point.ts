/** On the map of the book: a reader who points at a series, or comes to it by Tab, sees which articles are its own. */
export function followSeries(map: HTMLElement): void {
  const light = (series?: string) => {
    map.toggleAttribute("data-lit", series !== undefined);
    for (const each of map.querySelectorAll<HTMLElement>(".stand"))
      each.toggleAttribute("data-lit", each.dataset.series === series);
  };
  for (const card of map.querySelectorAll<HTMLElement>("[data-card]")) {
    for (const comes of ["pointerenter", "focusin"])
      card.addEventListener(comes, () => light(card.dataset.card));
    for (const goes of ["pointerleave", "focusout"]) card.addEventListener(goes, () => light());
  }
}

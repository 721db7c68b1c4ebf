/** On the map of a series: a reader who points at a chapter, or comes to it by Tab, sees all that it builds on and all that
 *  builds on it. */
export function followChapters(): void {
  for (const plan of document.querySelectorAll<HTMLElement>("[data-plan]")) {
    const lines = [...plan.querySelectorAll<SVGPathElement>("path")];
    const light = (chapter?: string) => {
      for (const each of plan.querySelectorAll("[data-lit]")) each.removeAttribute("data-lit");
      plan.toggleAttribute("data-lit", chapter !== undefined);
      if (chapter === undefined) return;
      const ways = [...way(lines, chapter, "to", "from"), ...way(lines, chapter, "from", "to")];
      const ends = new Set([chapter, ...ways.flatMap(({ dataset }) => [dataset.from!, dataset.to!])]);
      for (const line of ways) line.toggleAttribute("data-lit", true);
      for (const end of ends)
        plan.querySelector(`[data-chapter="${end}"]`)?.toggleAttribute("data-lit", true);
    };
    const at = ({ target }: Event) =>
      (target as Element).closest<HTMLElement>("[data-chapter]")?.dataset.chapter;
    for (const comes of ["pointerover", "focusin"]) plan.addEventListener(comes, (event) => light(at(event)));
    for (const goes of ["pointerleave", "focusout"]) plan.addEventListener(goes, () => light());
  }
}

/** The lines on all ways from a chapter in one direction. */
function way(
  lines: SVGPathElement[],
  chapter: string,
  near: "from" | "to",
  far: "from" | "to",
): SVGPathElement[] {
  const first = lines.filter((line) => line.dataset[near] === chapter);
  return [...first, ...first.flatMap((line) => way(lines, line.dataset[far]!, near, far))];
}

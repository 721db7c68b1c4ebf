/** Where a key leads in a grid of cells, counted row after row; undefined where it leads nowhere. */
export function roam(key: string, at: number, columns: number, count: number): number | undefined {
  const column = at % columns;
  const to: Record<string, number | undefined> = {
    ArrowLeft: column > 0 ? at - 1 : undefined,
    ArrowRight: column < columns - 1 ? at + 1 : undefined,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: at - column,
    End: at - column + columns - 1,
  };
  const next = to[key];
  return next !== undefined && next >= 0 && next < count ? next : undefined;
}

/** Gives the focus to the cell that a key leads to, in a grid each of whose cells can have it; false for other keys. */
export function walk(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  at: number,
  columns: number,
): boolean {
  const cells = event.currentTarget.querySelectorAll<HTMLElement>("[role=gridcell]");
  const next = roam(event.key, at, columns, cells.length);
  if (next === undefined && !event.key.startsWith("Arrow")) return false;
  if (next !== undefined) cells[next]!.focus();
  event.preventDefault(); // at an edge, the page stays where it is
  return true;
}

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

/** How numbers and days are written. A browser knows, too, but to ask it takes as long as to wake a figure. */
export const notation = {
  decimal: ".",
  group: ",",
  date: (year: string, month: string, day: string) => `${year}-${month}-${day}`,
};

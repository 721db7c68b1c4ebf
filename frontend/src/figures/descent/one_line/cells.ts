/** The numbers of a tensor as the reader writes them: rows with ; between them, numbers with spaces. */
export const rows = (text: string): string[][] => text.split(";").map((row) => row.trim().split(/[\s,]+/));

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
export const isNumber = (text: string): boolean => NUMBER.test(text) && Number.isFinite(Number(text));

/** What a cell is called in the line. */
export const called = (name: string, row: number, column: number): string =>
  `${name}[${name === "b" ? column : `${row}, ${column}`}]`;

/** How far Python has come in this page, for who need not have what runs it. */
export const python: {
  state: "absent" | "starting" | "ready";
  /** Labs that it has run: the next run of one answers at once, where a first one is imported and compiled. */
  readonly labs: Set<string>;
} = { state: "absent", labs: new Set() };

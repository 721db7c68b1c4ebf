/** How far Python has come in this page, for who need not have what runs it. */
export const python: { state: "absent" | "starting" | "ready" } = { state: "absent" };

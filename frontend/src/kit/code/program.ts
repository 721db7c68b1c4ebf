/** How the frame around a figure lets its reader write the program that the figure lists. */
import { getContext, setContext, type Snippet } from "svelte";

/** Draws the listing, and in its place an editor; `line` is where the shown step is. */
export type Write = Snippet<[reading: Snippet, line: number | undefined]>;

const KEY = "program";

export const letWrite = (write: () => Write | undefined): void => void setContext(KEY, write);

/** Undefined in a picture that stands alone. */
export const written = (): (() => Write | undefined) | undefined => getContext(KEY);

/** A reason as a sentence of its own: some end with a full stop already. */
export const sentence = (reason: string): string => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);

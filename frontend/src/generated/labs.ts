// Generated from the Python labs by `make contract`; edits here are lost.

/** Every lab by its id. */
export interface Labs {}

/** A lab's id, as in the address of its page. */
export type LabId = keyof Labs;
/** What a lab takes, every default filled in. */
export type LabParams<Id extends LabId> = Labs[Id]["params"];
/** What a lab yields: a union over `kind`. */
export type LabEvent<Id extends LabId> = Labs[Id]["event"];

/** What a figure is given: one event to draw, the parameters, and a way to change them. It computes nothing. */
import type { Component } from "svelte";
import type { LabEvent, Params, Provenance, Value } from "../runner/types";

/** What another lab says, which the server runs; empty while it is asked. */
export interface Answer<E = LabEvent> {
  event?: E;
  provenance?: Provenance;
}

export interface DrawingProps<E = LabEvent, P = Params> {
  event: E;
  /** As they are set now: for handles, which follow the hand. */
  params: P;
  /** Those that made the event, while newer ones are on their way. */
  made: P;
  /** What is wrong with the newest parameters, until there is a picture of them; else empty. */
  wrong?: string;
  /** Of a lab that names another one for it, once a reader has changed something and where there is a server. */
  answer?: Answer | undefined;
  /** Direct manipulation: ask for other parameters, and for a step of the run that they make, counted from 0. */
  set: (change: Record<string, Value>, step?: number) => void;
  /** Ask for the next step like that; behind the last one comes the first. Without one, nothing happens. */
  seek: (wanted: (event: E) => boolean) => void;
}

// Each figure narrows E and P to its own lab; the frame that hosts them all cannot know which.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Drawing = Component<DrawingProps<any, any>>;

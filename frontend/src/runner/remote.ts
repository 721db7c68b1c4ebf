/** A run on the server, and before it, where a lab for the browser makes the same first pictures, those. */
import { ahead } from "./ahead";
import { browser } from "./browser";
import { server } from "./server";
import type { Runner } from "./types";

/** `front` is that lab and the names of its parameters. */
export const remote = (front?: readonly string[]): Runner =>
  front ? ahead(browser, server(), front) : server();

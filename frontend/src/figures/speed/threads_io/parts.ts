/** The parts of a request, in their order, as the lab names them. */
export const PARTS = [
  { name: "connection", concept: "series-2" },
  { name: "handshake", concept: "series-4" },
  { name: "wait", concept: "series-1" },
  { name: "read", concept: "series-3" },
] as const;

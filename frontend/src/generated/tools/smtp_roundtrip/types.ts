// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Sent;
}
export interface Params {
  /**
   * Ports 25, 587 and 465.
   */
  security: "none" | "STARTTLS" | "TLS from the start";
  way: "an argument" | "the environment" | "a file" | "standard input";
  name: string;
  subject: string;
  body: string;
  encoding: "as email chooses" | "quoted-printable" | "base64" | "8bit";
  /**
   * The server offers AUTH in the clear.
   */
  unsafe: boolean;
  /**
   * Somebody on the wire removes the server's offer.
   */
  stripped: boolean;
}
/**
 * A mail so far.
 */
export interface Sent {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "sent";
  stage: "message" | "process" | "dialogue" | "mailbox" | "end";
  /**
   * That such a server has by convention; the lab's own listens on any free one.
   */
  port: number;
  /**
   * The lines of the message as it is sent, before dots are doubled.
   */
  message: string[];
  message_bytes: number;
  picture_bytes: number;
  /**
   * Where other processes have looked.
   */
  places: Place[];
  exchanges: Exchange[];
  /**
   * What somebody on the wire has been able to read.
   */
  overheard: string[];
  /**
   * All bytes from the mailer, those of the handshake left out, which differ by version of OpenSSL.
   */
  up_bytes: number;
  /**
   * The same from the server.
   */
  down_bytes: number;
  /**
   * As a mail program shows it at the other end; nothing before the mail is there.
   */
  sender: string;
  subject: string;
  body: string;
  /**
   * The first 16 digits of the SHA-256 of the picture.
   */
  sent_hash: string;
  /**
   * The same at the other end; nothing if no mail came.
   */
  received_hash: string;
  /**
   * Whether name, subject and text at the other end are those that were typed.
   */
  same_text: boolean;
  /**
   * With what the mailer gave up; nothing if it did not.
   */
  failure: string;
}
/**
 * Where another process may look.
 */
export interface Place {
  name: string;
  mode: string;
  shows: string;
  holds: boolean;
}
/**
 * Something sent, and the reply.
 */
export interface Exchange {
  client: string;
  server: string;
  sealed: boolean;
  up: Record[];
  down: Record[];
  up_bytes: number;
  down_bytes: number;
}
/**
 * Of TLS, from outside.
 */
export interface Record {
  type: string;
  bytes: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.security": ["none", "STARTTLS", "TLS from the start"],
  "Params.way": ["an argument", "the environment", "a file", "standard input"],
  "Params.encoding": ["as email chooses", "quoted-printable", "base64", "8bit"],
  "Sent.stage": ["message", "process", "dialogue", "mailbox", "end"],
} as const;

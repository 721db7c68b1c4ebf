/** The letters of a message in groups of four, line by line, each with the colour of the pixel that it carries. */
import type { Event } from "../../../generated/tools/base64_image/types";

export interface Piece {
  /** The group, by its number in the message as it was sent. */
  group: number;
  /** Where its first letter stands in the message as it is. */
  place: number;
  letters: string;
  /** As CSS writes it; none where the letters carry no pixel. */
  colour?: string;
  /** The letter that was changed, counted within the piece. */
  wrong?: number;
}

export const colour = (pixels: Uint8Array, pixel: number): string =>
  `rgb(${pixels.subarray(3 * pixel, 3 * pixel + 3).join(" ")})`;

/** A group may go on in the next line, if a letter was lost. */
export function pieces(event: Event): Piece[][] {
  const { lines, hurt_line: hurt, hurt_column: column, lost } = event;
  const arrives = event.stage === "reading" || event.stage === "end";
  const gap = lost.length > 1 ? lost.length / 4 : 0; // groups that went with a line
  const changed = lost.length === 1 && lines.join("").length === event.letters;
  let place = 0;
  return lines.map((line, number) => {
    const found: Piece[] = [];
    for (let at = 0; at < line.length;) {
      const here = Math.floor(place / 4);
      const length = Math.min(4 - (place % 4), line.length - at);
      const group = here + (hurt >= 0 && number >= hurt ? gap : 0);
      const pixel = (arrives ? here : group) - event.first_group;
      const known = event.first_group >= 0 && pixel >= 0 && pixel < (arrives ? event.known : 256);
      const wrong = changed && number === hurt && column >= at && column < at + length;
      found.push({
        group,
        place,
        letters: line.slice(at, at + length),
        ...(known && { colour: colour((arrives ? event.received : event.pixels).data, pixel) }),
        ...(wrong && { wrong: column - at }),
      });
      at += length;
      place += length;
    }
    return found;
  });
}

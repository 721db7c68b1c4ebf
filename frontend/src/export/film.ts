/** The steps of a run one after the other: an animated GIF, or a WebM where the browser can record one. */
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { later } from "../words";

/** What a film is made from: something that shows step after step and can be drawn. */
export interface Reel {
  frames: number;
  draw(frame: number): Promise<HTMLCanvasElement>;
}

export interface Making {
  signal: AbortSignal;
  /** Called before each frame, from 0. */
  progress(frame: number): void;
}

export const MOST_FRAMES = 60;
const MOST_BYTES = 16 << 20;
const STEP_MS = 1400;
const FILM_MS = 12_000;
const LAST_MS = 2500;

/** At most `MOST_FRAMES` of the steps, evenly spread, the first and the last among them. */
export function choose(steps: number): number[] {
  const frames = Math.min(steps, MOST_FRAMES);
  return Array.from({ length: frames }, (_, i) => Math.round((i * (steps - 1)) / Math.max(1, frames - 1)));
}

/** How long a frame stands: as in the figure, and the last one longer. */
const stay = (frame: number, frames: number) =>
  frame === frames - 1 ? LAST_MS : Math.min(STEP_MS, FILM_MS / Math.max(1, frames - 1));

export async function gif(reel: Reel, { signal, progress }: Making): Promise<Blob> {
  const encoder = GIFEncoder();
  for (let frame = 0; frame < reel.frames; frame++) {
    signal.throwIfAborted();
    progress(frame);
    const canvas = await reel.draw(frame);
    const { data, width, height } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, 256);
    encoder.writeFrame(applyPalette(data, palette), width, height, {
      palette,
      delay: stay(frame, reel.frames),
    });
    if (encoder.bytesView().length > MOST_BYTES) throw new Error(later().panels.take.largeGif);
    await new Promise((done) => setTimeout(done)); // the page stays alive, and Cancel can be pressed
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

/** Why this browser cannot record a WebM; undefined if it can. */
export function cannotRecord(): string | undefined {
  const able = typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
  return able && MediaRecorder.isTypeSupported("video/webm") ? undefined : later().panels.take.noWebm;
}

/** Recorded as it plays, so it takes as long as it lasts. */
export async function webm(reel: Reel, { signal, progress }: Making): Promise<Blob> {
  const screen = document.createElement("canvas");
  const recorder = new MediaRecorder(screen.captureStream(10), {
    mimeType: "video/webm",
    videoBitsPerSecond: 4_000_000,
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => (recorder.onstop = done));
  try {
    for (let frame = 0; frame < reel.frames; frame++) {
      signal.throwIfAborted();
      progress(frame);
      const canvas = await reel.draw(frame);
      if (frame === 0) [screen.width, screen.height] = [canvas.width, canvas.height];
      const paint = () => screen.getContext("2d")!.drawImage(canvas, 0, 0);
      paint();
      if (frame === 0) recorder.start();
      await hold(stay(frame, reel.frames), paint, signal);
    }
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
  }
  await stopped;
  return new Blob(parts, { type: "video/webm" });
}

/** Keep a picture on the screen; painted again now and then, as a canvas that rests sends no frames. */
async function hold(ms: number, paint: () => void, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    signal.throwIfAborted();
    await new Promise((done) => setTimeout(done, 80));
    paint();
  }
}

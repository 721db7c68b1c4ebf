"""PNG files as NumPy arrays: the browser reads them, since it can; writing one is short."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

Pixels = NDArray[np.uint8]  # [height, width, 3]

READ = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
  return [image.height, image.width, btoa(text)];
}"""


def read(page: Page, data: bytes) -> Pixels:
    """The colours of a PNG file. ``page`` may be any page, an empty one for instance."""
    height, width, text = page.evaluate(READ, base64.b64encode(data).decode())
    pixels = np.frombuffer(base64.b64decode(text), np.uint8)
    return pixels.reshape(height, width, 4)[..., :3]


def write(pixels: Pixels) -> bytes:
    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + width * 3), np.uint8)
    lines[:, 0] = 2  # each line as its difference from the one above
    lines[:, 1:] = np.diff(pixels, axis=0, prepend=np.zeros((1, width, 3), np.uint8)).reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )

/** Decoded pixels: four bytes each (red, green, blue, alpha), row by row from the top left. */
export interface Pixels {
  rgba: Uint8Array;
  width: number;
  height: number;
}

/** Shrinks until the longest side is `side` at most, each new pixel the mean of those it covers, on white. */
export function shrink({ rgba, width, height }: Pixels, side: number): Pixels {
  const scale = Math.min(1, side / Math.max(width, height));
  const newWidth = Math.max(1, Math.round(width * scale));
  const newHeight = Math.max(1, Math.round(height * scale));
  const small = new Uint8Array(newWidth * newHeight * 4);
  for (let y = 0; y < newHeight; y += 1) {
    const top = Math.floor((y * height) / newHeight);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / newHeight));
    for (let x = 0; x < newWidth; x += 1) {
      const left = Math.floor((x * width) / newWidth);
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / newWidth));
      small.set(meanOnWhite(rgba, width, left, right, top, bottom), (y * newWidth + x) * 4);
    }
  }
  return { rgba: small, width: newWidth, height: newHeight };
}

function meanOnWhite(
  rgba: Uint8Array,
  width: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
): [number, number, number, number] {
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const alpha = rgba[at + 3] as number;
      const white = 255 * (255 - alpha);
      red += (rgba[at] as number) * alpha + white;
      green += (rgba[at + 1] as number) * alpha + white;
      blue += (rgba[at + 2] as number) * alpha + white;
    }
  }
  const area = (right - left) * (bottom - top) * 255;
  return [Math.round(red / area), Math.round(green / area), Math.round(blue / area), 255];
}

/**
 * Turns a picture so that it stands upright.
 * @param orientation EXIF tag 0x0112: where the stored picture's top row and left column lie, 1 to 8.
 */
export function upright({ rgba, width, height }: Pixels, orientation: number): Pixels {
  if (orientation <= 1 || orientation > 8) return { rgba, width, height };
  const turned = orientation >= 5;
  const newWidth = turned ? height : width;
  const newHeight = turned ? width : height;
  const source = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const target = new Uint32Array(newWidth * newHeight);
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [fromX, fromY] = storedPlace(orientation, x, y, width - 1, height - 1);
      target[y * newWidth + x] = source[fromY * width + fromX] as number;
    }
  }
  return { rgba: new Uint8Array(target.buffer), width: newWidth, height: newHeight };
}

/** Which stored pixel stands at (x, y) of the upright picture; `right` and `bottom` are the last column and row. */
function storedPlace(
  orientation: number,
  x: number,
  y: number,
  right: number,
  bottom: number,
): [number, number] {
  switch (orientation) {
    case 2:
      return [right - x, y];
    case 3:
      return [right - x, bottom - y];
    case 4:
      return [x, bottom - y];
    case 5:
      return [y, x];
    case 6:
      return [y, bottom - x];
    case 7:
      return [right - y, bottom - x];
    default:
      return [right - y, x];
  }
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import sharp from 'sharp';

const WIDTH = 1024;
const HEIGHT = 768;

/** Draws a close-up of skin with one darker, uneven spot into `file`, unless a photo is already there. */
export async function drawDemoPhoto(file: string): Promise<void> {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, await drawPhoto());
}

interface Drawing {
  /** Other pores and another outline of the spot. */
  variant?: number;
  /** 1: daylight. */
  light?: number;
}

/** The same JPEG for the same arguments. */
export async function drawPhoto({ variant = 0, light = 1 }: Drawing = {}): Promise<Buffer> {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 3);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 3) {
      const [red, green, blue] = skin(x / HEIGHT, y / HEIGHT, variant);
      data[at] = light * red;
      data[at + 1] = light * green;
      data[at + 2] = light * blue;
    }
  }
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer();
}

/** Colour at a point; 1 is the picture's height. */
function skin(u: number, v: number, variant: number): [red: number, green: number, blue: number] {
  const [i, j] = [u + 10 * variant, v + 10 * variant];
  const pores = 22 * noise(i, j, 6) + 22 * noise(i, j, 60) + 26 * noise(i, j, 190);
  const distance = Math.hypot(u - 0.68, 1.2 * (v - 0.5)) + 0.06 * noise(i, j, 9);
  const spot = Math.min(1, Math.max(0, (0.22 - distance) / 0.03));
  return [206 - 88 * spot + pores, 156 - 80 * spot + 0.9 * pores, 132 - 66 * spot + 0.85 * pores];
}

/** Smooth noise in -0.5 to 0.5 with `frequency` cells per unit. */
function noise(u: number, v: number, frequency: number): number {
  const [x, y] = [u * frequency, v * frequency];
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const top = hash(i, j) + (x - i) * (hash(i + 1, j) - hash(i, j));
  const bottom = hash(i, j + 1) + (x - i) * (hash(i + 1, j + 1) - hash(i, j + 1));
  return top + (y - j) * (bottom - top);
}

function hash(i: number, j: number): number {
  const mixed = Math.imul(Math.imul(i, 0x27d4eb2d) ^ Math.imul(j, 0x165667b1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32 - 0.5;
}

import type { Pixels } from './decode.ts';

/** Measurements for section "Image validity" of the README, on a copy that fits in 512 × 512. */
export interface Measurements {
  /** Of the original, in pixels. */
  widthPx: number;
  heightPx: number;
  /** Variance of the 4-neighbour Laplacian of luma. */
  sharpness: number;
  /** Mean luma, 0–255. */
  brightness: number;
  /** Standard deviation of luma. */
  contrast: number;
  /** Share of pixels with luma ≥ 245, 0–1. */
  overexposedShare: number;
  /** Of the 256-bin luma histogram, in bits. */
  entropyBits: number;
  /** Largest minus smallest mean of 4 × 4 tiles, in luma. */
  unevenness: number;
  /** Share of pixels within either skin-colour rule, 0–1, on a 256 px copy. Biased by skin tone and light. */
  skinShare: number;
}

export function measure(original: Pixels): Measurements {
  const picture = fitWithin(original, 512);
  const luma = lumaOf(picture);
  const { mean, variance } = moments(luma);
  return {
    widthPx: original.width,
    heightPx: original.height,
    sharpness: moments(laplacian(luma, picture.width, picture.height)).variance,
    brightness: mean,
    contrast: Math.sqrt(variance),
    overexposedShare: luma.reduce((count, y) => count + (y >= 245 ? 1 : 0), 0) / luma.length,
    entropyBits: entropy(luma),
    unevenness: tileRange(luma, picture.width, picture.height),
    skinShare: skinShare(fitWithin(picture, 256)),
  };
}

/** Area-averaged copy whose longer side is at most `side`; a smaller image is returned unchanged. */
export function fitWithin(source: Pixels, side: number): Pixels {
  const scale = Math.max(source.width, source.height) / side;
  if (scale <= 1) return source;
  const width = Math.max(1, Math.round(source.width / scale));
  const height = Math.max(1, Math.round(source.height / scale));
  const narrowed = narrow(source, width);
  const data = flatten(narrowed, width, source.height, height);
  return { width, height, data: new Uint8ClampedArray(data) };
}

/** Averages the pixels of each row down to `to`. */
function narrow({ data, width: from, height }: Pixels, to: number): Float32Array {
  const output = new Float32Array(to * height * 4);
  const shares = sharesOf(from, to);
  for (let row = 0; row < height; row++) {
    for (const { cell, sample, weight } of shares) {
      const target = (row * to + cell) * 4;
      const at = (row * from + sample) * 4;
      output[target] = (output[target] ?? 0) + weight * (data[at] ?? 0);
      output[target + 1] = (output[target + 1] ?? 0) + weight * (data[at + 1] ?? 0);
      output[target + 2] = (output[target + 2] ?? 0) + weight * (data[at + 2] ?? 0);
    }
  }
  return output;
}

/** Averages the rows down to `to`. */
function flatten(input: Float32Array, width: number, from: number, to: number): Float32Array {
  const stride = width * 4;
  const output = new Float32Array(stride * to);
  for (const { cell, sample, weight } of sharesOf(from, to)) {
    for (let column = 0; column < stride; column++) {
      const target = cell * stride + column;
      output[target] = (output[target] ?? 0) + weight * (input[sample * stride + column] ?? 0);
    }
  }
  return output;
}

/** What each of `from` samples adds to each of `to` cells: one that straddles two counts by its overlap. */
function sharesOf(from: number, to: number): { cell: number; sample: number; weight: number }[] {
  const ratio = from / to;
  return Array.from({ length: to }, (_, cell) => {
    const start = cell * ratio;
    const end = Math.min(from, start + ratio);
    const first = Math.floor(start);
    return Array.from({ length: Math.ceil(end) - first }, (_, index) => {
      const sample = first + index;
      return { cell, sample, weight: (Math.min(end, sample + 1) - Math.max(start, sample)) / ratio };
    });
  }).flat();
}

function lumaOf({ data }: Pixels): Float32Array {
  const luma = new Float32Array(data.length / 4);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel++, at += 4) {
    luma[pixel] = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  }
  return luma;
}

/** Of the inner pixels; empty without any. */
function laplacian(luma: Float32Array, width: number, height: number): Float32Array {
  const inner = new Float32Array(Math.max(0, width - 2) * Math.max(0, height - 2));
  let to = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const around =
        (luma[at - 1] ?? 0) + (luma[at + 1] ?? 0) + (luma[at - width] ?? 0) + (luma[at + width] ?? 0);
      inner[to++] = around - 4 * (luma[at] ?? 0);
    }
  }
  return inner;
}

function moments(values: Float32Array): { mean: number; variance: number } {
  if (values.length === 0) return { mean: 0, variance: 0 };
  // Loops, because reduce() calls a function for each of a quarter of a million pixels.
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, variance: squares / values.length };
}

function entropy(luma: Float32Array): number {
  const histogram = new Float64Array(256);
  for (const y of luma) {
    const bin = Math.min(255, Math.round(y));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  return histogram.reduce((bits, count) => {
    const share = count / luma.length;
    return share > 0 ? bits - share * Math.log2(share) : bits;
  }, 0);
}

function tileRange(luma: Float32Array, width: number, height: number): number {
  const sums = new Float64Array(16);
  const counts = new Float64Array(16);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tile = Math.floor((y * 4) / height) * 4 + Math.floor((x * 4) / width);
      sums[tile] = (sums[tile] ?? 0) + (luma[y * width + x] ?? 0);
      counts[tile] = (counts[tile] ?? 0) + 1;
    }
  }
  const means = [...sums].map((sum, tile) => sum / (counts[tile] ?? 0)).filter(Number.isFinite);
  return Math.max(...means) - Math.min(...means);
}

function skinShare({ data }: Pixels): number {
  let skin = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (isSkinColored(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) skin++;
  }
  return skin / (data.length / 4);
}

/** Either the usual YCbCr box or a hue range; both are known to fail on some skin tones and white balances. */
function isSkinColored(red: number, green: number, blue: number): boolean {
  const cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue;
  const cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue;
  if (cb >= 77 && cb <= 127 && cr >= 133 && cr <= 173) return true;
  const value = Math.max(red, green, blue);
  const chroma = value - Math.min(red, green, blue);
  const saturation = value === 0 ? 0 : chroma / value;
  if (value < 40 || saturation < 0.1 || saturation > 0.75) return false;
  // Hue ≤ 50° or ≥ 340° lies in the sector where red is the largest component: (green - blue) / chroma · 60°.
  const hue = value === red ? (60 * (green - blue)) / chroma : 180;
  return hue <= 50 && hue >= -20;
}

/** Limits of one uploaded picture. */
export const imageLimits = {
  maxBytes: 15 * 1024 * 1024,
  /** Width × height, from the header, judged before anything is decoded. */
  maxPixels: 50_000_000,
} as const;

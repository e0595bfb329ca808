/** Limits of one uploaded picture. */
export const imageLimits = {
  maxBytes: 15 * 1024 * 1024,
  /** Width × height, from the header, judged before anything is decoded. */
  maxPixels: 50_000_000,
} as const;

/** Limits of one upload: the host holds a request three to four times in memory. */
export const uploadLimits = {
  maxFiles: 10,
  maxBytes: 32 * 1024 * 1024,
} as const;

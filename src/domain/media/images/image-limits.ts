/** Limits of one uploaded picture. */
export const imageLimits = {
  maxBytes: 15 * 1024 * 1024,
  /** Width × height, from the header, judged before anything is decoded. */
  maxPixels: 50_000_000,
} as const;

/**
 * Limits of one upload. The host stores a body four to seven times in memory: sixteen forms of 32 MB at once ended an
 * instance of 2 GB.
 */
export const uploadLimits = {
  maxFiles: 10,
  maxBytes: 20 * 1024 * 1024,
} as const;

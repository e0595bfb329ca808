const factor = Number(process.env['PROPERTY_RUNS_FACTOR'] ?? 1);

/** How often `npm test` tries a property, with other random inputs in each run; `npm run soak` tries it ten times as often. */
export const propertyRuns = (usual: number): number => usual * factor;

/** What a test may take: generous, since it only says when to give up, and machines that build are slow. */
export const testTimeoutMs = 60_000 * factor;

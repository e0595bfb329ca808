/** How often `npm test` tries a property, with other random inputs in each run; `npm run soak` tries it ten times as often. */
export const propertyRuns = (usual: number): number =>
  usual * Number(process.env['PROPERTY_RUNS_FACTOR'] ?? 1);

import { z } from 'zod';

/** Any JSON object: for bodies that the domain checks by itself, such as an anamnesis (422 and not 400). */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

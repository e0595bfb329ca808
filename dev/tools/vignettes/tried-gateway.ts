import type { Backend } from '../intake/backends.ts';

/** The routes of a gateway that vignettes go through. */
export type TriedGateway = Omit<Backend, 'diagnose'>;

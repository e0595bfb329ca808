import type { Backend } from '../intake/backends.ts';

/** The routes of a gateway that vignettes use. */
export type TriedGateway = Omit<Backend, 'diagnose'>;

import type { Row } from './rows.ts';
import type { Circumstance } from '../../support/access-stage.ts';

export const caseRow = (circumstance: Circumstance, ask: Row['ask'], shows?: Row['shows']): Row => ({
  circumstance,
  ask,
  ...(shows !== undefined && { shows }),
});
export const auditReview = { kind: 'audit', agreement: 'minor', comment: 'See above.' };

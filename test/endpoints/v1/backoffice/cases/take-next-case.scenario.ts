import { v1BackofficeTakeNextCase } from '../../../../../src/functions/v1/backoffice/cases/take-next-case.ts';
import { scenario } from '../../../scenario.ts';
import {
  caseInHand,
  caseParams,
  demoPhysician,
  emptyHanded,
  onlyQueued,
  queuedCase,
} from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';
import type { Circumstance, Thing } from '../../../../support/access-stage.ts';

const any = (_thing: Thing, all: readonly Thing[]) => all.map(({ uuid }) => uuid);
const next = (circumstance: Circumstance, body: object = {}) =>
  caseRow(circumstance, () => post('cases/next-case', body), any);

/** What other scenarios have left in the queue is not of this one. */
const shown = (reply: object) => ({
  ...reply,
  queue: { waiting: 31, waiting_urgent: 2, oldest_due_at: '2026-01-20T09:30:00.000Z' },
});
const unaudited = 'Nothing is taken, or only read.';

export const takeNextCaseScenario = scenario({
  endpoint: v1BackofficeTakeNextCase,
  as: 'physician',
  good: {
    taken: {
      title: 'The next case',
      ...queuedCase,
      state: [...emptyHanded, onlyQueued(caseParams.uuid)],
      json: {},
      shown,
    },
    resumed: {
      title: 'The case that is in hand already',
      ...caseInHand,
      json: {},
      shown,
      unaudited,
    },
    released: {
      title: 'Another case instead of the one in hand',
      ...caseInHand,
      after: { ...caseInHand.after, other: queuedCase.after.case },
      state: [...caseInHand.state, onlyQueued('{{other.response.body.uuid}}')],
      json: { current: 'release', release_reason: 'not_my_field' },
      shown,
    },
    none: {
      title: 'Nothing to do in Spanish',
      state: [...emptyHanded, onlyQueued()],
      json: { languages: ['es'] },
      unaudited,
    },
  },
  mistakes: {
    languages: {
      title: 'A language that there is not',
      code: 'validation_error',
      pointers: ['/languages/0'],
      json: { languages: ['fr'] },
    },
  },
  refusals: {
    admin: {
      title: 'An admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      json: {},
    },
    away: {
      title: 'A physician on vacation',
      code: 'physician_away',
      state: [`UPDATE physicians SET vacation_mode = true WHERE id = ${demoPhysician}`],
      json: {},
    },
    auditor: {
      title: 'Audits, for a physician who is no auditor',
      code: 'capability_required',
      state: emptyHanded,
      json: { queue: 'audit' },
    },
  },
  access: {
    'reserved for the caller': {
      ...next('reservedForCaller'),
      cells: '401 403 unseen profile seen seen seen seen seen profile',
    },
    'reserved for the holder': {
      ...next('reservedForHolder'),
      cells: '401 403 unseen profile seen unseen unseen unseen unseen profile',
    },
    'to be audited': {
      ...next('toAudit', { queue: 'audit' }),
      cells: '401 403 capability profile capability capability capability capability seen profile',
    },
  },
});

// A row of a scenario's `access` is a request under a circumstance, a cell what one of these callers gets.

/** The callers in the order of the cells, and who they are. All are of the tenant of the case unless they are abroad. */
export const callers = {
  nobody: 'no token',
  patient: 'the account that has sent the case',
  'dr-abroad': 'a physician of another tenant',
  'adm-abroad': 'an admin of another tenant',
  holder: 'the physician who has the case in hand or on hold, or has answered it',
  earlier:
    'a physician who has signed an answer to it that was cancelled: may see the case, and nothing else',
  colleague: 'a physician of the same lanes without capabilities',
  lead: 'the same with every capability but `case.audit`',
  auditor: 'the same with `case.audit` alone',
  admin: 'an admin without the profile of a physician',
} as const;

/** The words of the cells for problems; every other stands there by its code. */
export const cellWords = {
  authentication_required: '401',
  forbidden: '403',
  annotation_not_found: 'absent',
  case_state_conflict: 'state',
  lease_lost: 'lost',
  annotation_published: 'published',
  own_annotation: 'own',
  capability_required: 'capability',
  physician_profile_required: 'profile',
  reason_required: 'reason',
  live_unavailable: 'off',
  validation_error: 'invalid',
} as const;

/** Texts that the pages of physicians and of admins share; the other languages have the same members. */
export const en = {
  all: 'All',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  never: 'Never',
  save: 'Save',
  saved: 'Saved.',
  clearFilters: 'Clear filters',
  nothingFound: 'Nothing fits these filters.',
  firstPage: 'First page',
  nextPage: 'Next page',
  shown: 'On this page: {count}',
  errorSummary: 'There is a problem',
  takeTheirs: 'Load the current state',
  keepMine: 'Save mine over it',
  generalPool: 'General pool',
  anyLanguage: 'Any language',
  roles: { patient: 'Patient', physician: 'Physician', admin: 'Admin' },
  triage: {
    emergency: 'Emergency',
    urgent_24h: 'Within 24 hours',
    soon_2_weeks: 'Within two weeks',
    routine: 'Routine',
    self_care: 'Self-care',
  },
  /** By the gateway’s problem code, where staff need other words than patients. */
  problems: {
    validation_error: 'Some entries cannot be accepted. Please check the marked fields.',
    version_conflict:
      'Someone else has changed this since you opened it. Nothing of yours is saved and your entries are still here: load the current state to compare.',
    capability_required: 'Your groups do not allow this. Please ask an admin.',
    cursor_invalid: 'This page of the list is no longer valid. Please start from the first page.',
    search_too_broad: 'There are too many results. Please narrow the filters.',
    last_admin: 'This is the last active admin. Make another user an admin first.',
    own_account: 'You cannot change the role or the state of your own account.',
    user_not_found: 'This account does not exist.',
    group_not_found: 'This group does not exist any more.',
    name_taken: 'Another group has this name.',
    email_taken: 'An account with this address already exists.',
    employee_id_taken: 'Another physician has this number.',
    physician_not_found: 'This physician does not exist.',
    invitation_not_found: 'This invitation is no longer open.',
    parameters_not_found: 'These parameters do not exist.',
  },
};

export type StaffTexts = typeof en;

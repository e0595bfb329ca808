/**
 * Unit tests that change what their whole process shares, or list what is in it: each runs in a process of its own.
 * The other unit tests share one, which costs a fifth less CPU time than a process for each. `test/architecture.test.ts`
 * finds a file that is missing here.
 */
export const OWN_PROCESS = [
  // Lists every schema that any module has registered.
  'test/domain/intake/anamnesis/vocabulary.test.ts',
  // Sets environment variables that `pg` reads.
  'test/lib/db/server-tls.test.ts',
  // Put others in place of modules that need a browser.
  'dev/apps/portal/test/dom/answers.test.ts',
  'dev/apps/portal/test/dom/case-page.test.ts',
  'dev/apps/portal/test/dom/case-row.test.ts',
  'dev/apps/portal/test/dom/continue-draft.test.ts',
  'dev/apps/portal/test/dom/desk-choices.test.ts',
  'dev/apps/portal/test/dom/desk-events.test.ts',
  'dev/apps/portal/test/dom/desk-forms.test.ts',
  'dev/apps/portal/test/dom/doctor-sheet.test.ts',
  'dev/apps/portal/test/dom/draft-flags.test.ts',
  'dev/apps/portal/test/dom/features.test.ts',
  'dev/apps/portal/test/dom/home-page.test.ts',
  'dev/apps/portal/test/dom/intake-page.test.ts',
  'dev/apps/portal/test/dom/keepers.test.ts',
  'dev/apps/portal/test/dom/modal.test.ts',
  'dev/apps/portal/test/dom/office-choices.test.ts',
  'dev/apps/portal/test/dom/office-pages.test.ts',
  'dev/apps/portal/test/dom/person-pages.test.ts',
  'dev/apps/portal/test/dom/reply-form.test.ts',
  'dev/apps/portal/test/dom/result-actions.test.ts',
  'dev/apps/portal/test/dom/send-case-page.test.ts',
  'dev/apps/portal/test/dom/session.test.ts',
  'dev/apps/portal/test/dom/staff-case-page.test.ts',
  'dev/apps/portal/test/dom/unseen-case.test.ts',
  'dev/apps/portal/test/dom/unsent-entries.test.ts',
  'dev/apps/portal/test/dom/unsent.test.ts',
  'dev/apps/portal/test/dom/use-versioned.test.ts',
  'dev/apps/portal/test/dom/use-read.test.ts',
  // Puts another in place of the requests of a browser.
  'dev/packages/client/test/slow-upload.test.ts',
];

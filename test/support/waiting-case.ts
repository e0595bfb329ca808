import { tenantRows } from './accounts.ts';
import type { TestApp } from './app.ts';
import { type CaseAnswer, createCase } from './cases.ts';

/** A case of this account that waits in a lane of every physician of the tenant: general pool, any language. */
export async function waitingCase(app: TestApp, token: string, body: object = {}): Promise<CaseAnswer> {
  const made = await createCase(app, token, body);
  await tenantRows(
    app,
    `UPDATE request_records SET status = 'queued', submitted_at = now(), queued_at = now(), due_at = now(),
       triage_level = 'routine', triage_rank = 2, lane_pool = 'general', lane_language = 'any' WHERE uuid = $1`,
    [made.uuid],
  );
  return made;
}

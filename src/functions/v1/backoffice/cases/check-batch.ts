import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseUuids, CheckedCases } from '../../../../domain/desk/batches/batch.schemas.ts';
import { checkBatch } from '../../../../domain/desk/batches/check-batch.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeCheckBatch = endpoint({
  name: 'v1BackofficeCheckBatch',
  method: 'POST',
  route: 'api/v1/backoffice/cases/check-batch',
  tag: 'Backoffice',
  summary: 'Check which actions several cases allow, and the state of their batches',
  description:
    'Cases that do not exist and cases that the caller may not see give the same result: `found` is false.',
  auth: 'physician-level',
  audit: auditEvents.casesChecked,
  body: z
    .strictObject({ case_uuids: CaseUuids })
    .meta({ id: 'CaseUuids', description: 'Some cases, in any order.' }),
  reply: { status: 200, description: 'One result for each case.', body: CheckedCases },
  problems: [],
  async handler({ body, context, actor }) {
    return { results: await checkBatch(context, actor, body.case_uuids) };
  },
});

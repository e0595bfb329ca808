import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseBatch } from '../../../../domain/desk/batches/batch.schemas.ts';
import { readBatch } from '../../../../domain/desk/batches/read-batch.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery } from '../../../../lib/paging/page.ts';

export const v1BackofficeGetBatch = endpoint({
  name: 'v1BackofficeGetBatch',
  method: 'GET',
  route: 'api/v1/backoffice/cases/batch/{uuid}',
  tag: 'Backoffice',
  summary: 'Get a batch of cases',
  description:
    'A batch consists of the cases that one patient’s account submitted together. Names of patients are omitted ' +
    'while their cases only wait in the queue.',
  auth: 'physician-level',
  audit: auditEvents.batchRead,
  reads: ['lang'],
  sends: ['Content-Language'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A batch with a case that the caller may see.' }) }),
  missing: 'batch_not_found',
  query: PageQuery,
  reply: { status: 200, description: 'The batch, with at most `limit` of its cases.', body: CaseBatch },
  problems: ['cursor_invalid'],
  async handler({ params, query, context, actor }) {
    return await readBatch(context, actor, { ...params, ...query });
  },
});

import { z } from 'zod';
import { MobileCase } from '../../../../domain/cases/record/mobile-case.schemas.ts';
import { readCase } from '../../../../domain/cases/patient/read-case.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1MobileGetCase = endpoint({
  name: 'v1MobileGetCase',
  method: 'GET',
  route: 'api/v1/mobile/cases/{uuid}',
  tag: 'Cases',
  summary: 'Get a case of the caller',
  description:
    'Marks the messages to the patient as read; this reply still shows them as unread. A read by staff who made the case for a patient marks none and is logged.',
  auth: 'any',
  audit: 'none',
  reads: ['lang'],
  sends: ['Content-Language', 'ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'One’s own case.' }) }),
  missing: 'case_not_found',
  reply: { status: 200, description: 'The case.', body: MobileCase },
  problems: [],
  async handler({ params, context, actor, replyHeaders }) {
    const found = await readCase(context, actor, params.uuid);
    replyHeaders['etag'] = versionTag(found.version);
    return found;
  },
});

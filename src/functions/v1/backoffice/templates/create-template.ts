import { createTemplate } from '../../../../domain/answers/templates/create-template.ts';
import {
  NewTemplate,
  Template,
  templateBodyLimit,
} from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeCreateTemplate = endpoint({
  name: 'v1BackofficeCreateTemplate',
  method: 'POST',
  route: 'api/v1/backoffice/templates',
  tag: 'Backoffice',
  summary: 'Create a template of the caller or of the clinic',
  description:
    'Every body is parsed and rendered on creation. A body that contains anything but the known placeholders, or ' +
    'takes longer than 200 ms, is rejected with line and column. A template of the clinic requires the capability ' +
    '`template.shared`. With an `Idempotency-Key`, a retry within 24 hours gets the first reply, marked ' +
    '`Idempotency-Replayed: true`.',
  auth: 'physician-level',
  audit: { category: 'admin', success: 'template_created', refusal: 'template_created' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed', 'ETag'],
  body: NewTemplate,
  bodyLimit: templateBodyLimit,
  reply: { status: 201, description: 'The template.', body: Template },
  problems: [
    'template_invalid',
    'template_placeholder_unknown',
    'capability_required',
    'physician_profile_required',
    'disease_not_found',
    'name_taken',
  ],
  async handler({ context, actor, body, replyHeaders }) {
    const { reply, replayed } = await createTemplate(context, actor, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});

import { z } from 'zod';
import {
  Template,
  templateBodyLimit,
  TemplateChange,
  TemplateId,
} from '../../../../domain/answers/templates/template.schemas.ts';
import { updateTemplate } from '../../../../domain/answers/templates/update-template.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeUpdateTemplate = endpoint({
  name: 'v1BackofficeUpdateTemplate',
  method: 'PATCH',
  route: 'api/v1/backoffice/templates/{id}',
  tag: 'Backoffice',
  summary: 'Change a template of the caller or of the clinic',
  description:
    'Signed answers do not change. Changing a template of the clinic, and making one’s own a template of the clinic, ' +
    'require the capability `template.shared`.',
  auth: 'physician-level',
  audit: { category: 'admin', success: 'template_updated', refusal: 'template_updated' },
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ id: TemplateId }),
  missing: 'template_not_found',
  body: TemplateChange,
  bodyLimit: templateBodyLimit,
  reply: { status: 200, description: 'The template as it is now.', body: Template },
  problems: [
    'template_invalid',
    'template_placeholder_unknown',
    'capability_required',
    'physician_profile_required',
    'template_not_found',
    'disease_not_found',
    'name_taken',
  ],
  async handler({ context, actor, params: { id }, body: { version, ...change }, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const template = await updateTemplate(context, actor, { ...change, id, version: expected });
    replyHeaders['etag'] = versionTag(template.version);
    return template;
  },
});

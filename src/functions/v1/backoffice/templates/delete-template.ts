import { z } from 'zod';
import { deleteTemplate } from '../../../../domain/answers/templates/delete-template.ts';
import { TemplateId } from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeDeleteTemplate = endpoint({
  name: 'v1BackofficeDeleteTemplate',
  method: 'DELETE',
  route: 'api/v1/backoffice/templates/{id}',
  tag: 'Backoffice',
  summary: 'Delete a template of the caller or of the clinic',
  description:
    'The template is no longer listed, and answers can no longer use it; existing answers do not change. Its name ' +
    'can be used again.',
  auth: 'physician-level',
  audit: { category: 'admin', success: 'template_deleted', refusal: 'template_deleted' },
  params: z.object({ id: TemplateId }),
  missing: 'template_not_found',
  reply: { status: 204, description: 'The template is withdrawn.' },
  problems: ['capability_required', 'template_not_found'],
  async handler({ context, actor, params: { id } }) {
    await deleteTemplate(context, actor, id);
  },
});

import { z } from 'zod';
import { deleteTemplate } from '../../../../domain/answers/templates/delete-template.ts';
import { TemplateId } from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeDeleteTemplate = endpoint({
  name: 'v1BackofficeDeleteTemplate',
  method: 'DELETE',
  route: 'api/v1/backoffice/templates/{id}',
  tag: 'Backoffice',
  summary: 'Withdraw a template of mine or of the clinic',
  description:
    'It is listed no more, and no answer can use it; those that did keep their text. Its name is free again.',
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

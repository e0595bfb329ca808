import { listTemplates } from '../../../../domain/answers/templates/list-templates.ts';
import {
  TemplateFilter,
  TemplatePage,
  TemplateScope,
} from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListTemplates = endpoint({
  name: 'v1BackofficeListTemplates',
  method: 'GET',
  route: 'api/v1/backoffice/templates',
  tag: 'Backoffice',
  summary: 'List my own templates and those of the clinic',
  description: 'The oldest first, page by page, with a cursor that only this list takes.',
  auth: 'physician-level',
  audit: 'none',
  query: TemplateFilter.extend({ scope: TemplateScope.optional() }),
  reply: { status: 200, description: 'At most `limit` templates.', body: TemplatePage },
  problems: ['cursor_invalid'],
  async handler({ context, actor, query }) {
    return await listTemplates(context, actor, query);
  },
});

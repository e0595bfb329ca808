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
  summary: 'List the templates of the caller and of the clinic',
  description: 'Oldest first, with a cursor of this list.',
  auth: 'physician-level',
  audit: 'none',
  query: TemplateFilter.extend({ scope: TemplateScope.optional() }),
  reply: { status: 200, description: 'At most `limit` templates.', body: TemplatePage },
  problems: ['cursor_invalid'],
  async handler({ context, actor, query }) {
    return await listTemplates(context, actor, query);
  },
});

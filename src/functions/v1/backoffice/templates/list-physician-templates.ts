import { z } from 'zod';
import { listPhysicianTemplates } from '../../../../domain/answers/templates/list-templates.ts';
import { TemplateFilter, TemplatePage } from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListPhysicianTemplates = endpoint({
  name: 'v1BackofficeListPhysicianTemplates',
  method: 'GET',
  route: 'api/v1/backoffice/templates/doctor/{email}',
  tag: 'Backoffice',
  summary: 'List the templates of a physician',
  description:
    'The caller’s own; admins can list those of any physician, including deactivated ones. Use `me` rather than an ' +
    'email address: proxies log URLs, although this service does not.',
  auth: 'physician-level',
  audit: 'none',
  params: z.object({
    email: z
      .string()
      .min(1)
      .max(1024)
      .meta({ description: 'Address of the account, or `me`.', examples: ['me'] }),
  }),
  missing: 'physician_not_found',
  query: TemplateFilter,
  reply: { status: 200, description: 'At most `limit` templates.', body: TemplatePage },
  problems: ['forbidden', 'physician_not_found', 'cursor_invalid'],
  async handler({ context, actor, params: { email: owner }, query }) {
    return await listPhysicianTemplates(context, actor, { ...query, owner });
  },
});

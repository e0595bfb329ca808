import { z } from 'zod';
import { listDiseaseTemplates } from '../../../../domain/answers/templates/list-disease-templates.ts';
import { TemplateFilter, TemplatePage } from '../../../../domain/answers/templates/template.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { wholeNumber } from '../../../../lib/schema/whole-number.ts';

export const v1BackofficeListDiseaseTemplates = endpoint({
  name: 'v1BackofficeListDiseaseTemplates',
  method: 'GET',
  route: 'api/v1/backoffice/templates/disease/{diseaseId}',
  tag: 'Backoffice',
  summary: 'List the templates for a disease',
  description:
    'The caller’s templates for the disease, then the clinic’s for the disease, then the defaults for any disease, ' +
    'the caller’s before the clinic’s.',
  auth: 'physician-level',
  audit: 'none',
  params: z.object({
    diseaseId: wholeNumber(
      z
        .int()
        .min(1)
        .meta({ description: 'In the own catalogue.', examples: [1] }),
    ),
  }),
  missing: 'disease_not_found',
  query: TemplateFilter.omit({ kind: true }),
  reply: { status: 200, description: 'At most `limit` templates.', body: TemplatePage },
  problems: ['disease_not_found', 'cursor_invalid'],
  async handler({ context, actor, params, query }) {
    return await listDiseaseTemplates(context, actor, { ...params, ...query });
  },
});

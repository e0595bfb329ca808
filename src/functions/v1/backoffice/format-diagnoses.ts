import { formatDiagnoses } from '../../../domain/answers/templates/format-diagnoses.ts';
import {
  DiagnosesToFormat,
  FormattedDiagnoses,
} from '../../../domain/answers/templates/format-diagnoses.schemas.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

export const v1BackofficeFormatDiagnoses = endpoint({
  name: 'v1BackofficeFormatDiagnoses',
  method: 'POST',
  route: 'api/v1/backoffice/format-diagnoses',
  tag: 'Backoffice',
  summary: 'Format diagnoses as text',
  description:
    'The text is in the requested language, uses the names of the built-in catalogue, and follows the given template ' +
    'or the default one. Nothing is stored; the same request gives the same text on the same day.',
  auth: 'physician-level',
  audit: { category: 'access', success: 'diagnoses_formatted', refusal: 'diagnoses_formatted' },
  body: DiagnosesToFormat,
  sends: ['Content-Language'],
  reply: { status: 200, description: 'The text.', body: FormattedDiagnoses },
  problems: ['case_not_found', 'disease_unknown', 'template_not_found', 'template_invalid'],
  async handler({ context, actor, body, replyHeaders }) {
    replyHeaders['content-language'] = body.lang;
    return await formatDiagnoses(context, actor, body);
  },
});

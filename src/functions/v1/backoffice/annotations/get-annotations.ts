import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Annotation } from '../../../../domain/answers/annotations/annotation.schemas.ts';
import { AnnotationKind } from '../../../../domain/answers/annotations/annotation-input.schemas.ts';
import { readAnnotations } from '../../../../domain/answers/annotations/read-annotations.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const CaseAnnotations = z
  .object({
    case_uuid: z.uuid().meta({ description: 'The case.' }),
    annotations: z.array(Annotation).meta({ description: 'The oldest first.' }),
  })
  .meta({ id: 'CaseAnnotations', description: 'The annotations of a case that the caller may read.' });

export const v1BackofficeGetAnnotations = endpoint({
  name: 'v1BackofficeGetAnnotations',
  method: 'GET',
  route: 'api/v1/backoffice/annotations/{uuid}',
  tag: 'Backoffice',
  summary: 'Get the annotations of a case',
  description:
    'Drafts are visible to their authors only; audits to auditors, admins and the author of the audited answer.',
  auth: 'physician-level',
  audit: auditEvents.annotationRead,
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  query: z.object({
    kind: AnnotationKind.optional().meta({ description: 'Both kinds where absent.' }),
  }),
  reply: { status: 200, description: 'The annotations.', body: CaseAnnotations },
  problems: [],
  async handler({ params: { uuid }, query, context, actor }) {
    return { case_uuid: uuid, annotations: await readAnnotations(context, actor, uuid, query) };
  },
});

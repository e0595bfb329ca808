import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Annotation, AnnotationStatus } from '../../../../domain/answers/annotations/annotation.schemas.ts';
import { readAnnotationsOf } from '../../../../domain/answers/annotations/read-annotations.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const AnnotationQuery = z
  .strictObject({
    case_uuids: z.array(z.uuid()).min(1).max(100).meta({ description: 'The cases.' }),
    kind: z.enum(['dermatologist', 'audit', 'all']).default('all').meta({
      id: 'AnnotationKindFilter',
      description: '`dermatologist`: answers. `audit`: audits of them.',
    }),
    status: z.array(AnnotationStatus).max(4).optional().meta({ description: 'All where absent.' }),
  })
  .meta({ id: 'AnnotationQuery', description: 'Annotations of which cases.' });

const AnnotationsByCase = z
  .object({
    items: z
      .record(z.uuid(), z.array(Annotation))
      .meta({ description: 'By the UUID of the case, the oldest first.' }),
  })
  .meta({ id: 'AnnotationsByCase', description: 'Annotations of several cases.' });

export const v1BackofficeListAnnotations = endpoint({
  name: 'v1BackofficeListAnnotations',
  method: 'POST',
  route: 'api/v1/backoffice/annotations',
  tag: 'Backoffice',
  summary: 'Get the annotations of several cases',
  description:
    'Cases that the caller may not see are omitted. Drafts are visible to their authors only; audits to auditors, ' +
    'admins and the author of the audited answer.',
  auth: 'physician-level',
  audit: auditEvents.annotationRead,
  body: AnnotationQuery,
  reply: { status: 200, description: 'The annotations.', body: AnnotationsByCase },
  problems: [],
  async handler({ body: { case_uuids: uuids, ...filter }, context, actor }) {
    return { items: await readAnnotationsOf(context, actor, uuids, filter) };
  },
});

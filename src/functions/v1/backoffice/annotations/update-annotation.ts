import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Annotation } from '../../../../domain/answers/annotations/annotation.schemas.ts';
import {
  AnnotationChange,
  annotationBodyLimit,
} from '../../../../domain/answers/annotations/annotation-input.schemas.ts';
import { updateAnnotation } from '../../../../domain/answers/annotations/update-annotation.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeUpdateAnnotation = endpoint({
  name: 'v1BackofficeUpdateAnnotation',
  method: 'PUT',
  route: 'api/v1/backoffice/annotations/{uuid}',
  tag: 'Backoffice',
  summary: 'Save, sign or amend an annotation',
  description:
    'Replaces the caller’s annotation of the case: absent members become empty. Saving a draft renews the lease on ' +
    'the case. With `sign` the annotation is signed, under the same conditions as on creation. The author amends a ' +
    'published answer with `amend_reason` and `sign`; the reply is the new answer, which is published immediately.',
  auth: 'physician-level',
  audit: auditEvents.annotationUpdated,
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  body: AnnotationChange,
  bodyLimit: annotationBodyLimit,
  reply: { status: 200, description: 'The annotation as it is now.', body: Annotation },
  problems: [
    'disease_unknown',
    'template_invalid',
    'capability_required',
    'physician_profile_required',
    'annotation_not_found',
    'template_not_found',
    'case_state_conflict',
    'lease_lost',
    'annotation_published',
    'red_flags_unacknowledged',
    'answer_contradicts_urgency',
    'case_changed',
  ],
  async handler({ params: { uuid }, body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const annotation = await updateAnnotation(context, actor, uuid, body, version);
    replyHeaders['etag'] = versionTag(annotation.version);
    return annotation;
  },
});

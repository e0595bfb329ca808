import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Annotation } from '../../../../domain/answers/annotations/annotation.schemas.ts';
import { AnnotationCancellation } from '../../../../domain/answers/annotations/annotation-input.schemas.ts';
import { cancelAnnotation } from '../../../../domain/answers/annotations/cancel-annotation.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeCancelAnnotation = endpoint({
  name: 'v1BackofficeCancelAnnotation',
  method: 'PUT',
  route: 'api/v1/backoffice/annotations/{uuid}/cancel',
  tag: 'Backoffice',
  summary: 'Cancel an annotation',
  description:
    'A draft of the caller is cancelled. A signed answer that is not published yet becomes its signer’s draft again, ' +
    'and the signer holds the lease on the case. A published answer is cancelled as entered in error: this requires ' +
    'the capability `case.reopen`, returns the case to the queue and sends its patient a message. For callers with that ' +
    'capability the published answer of a closed case comes before a draft of their own. Of audits, only drafts can be ' +
    'cancelled.',
  auth: 'physician-level',
  audit: auditEvents.annotationCancelled,
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  body: AnnotationCancellation,
  reply: { status: 200, description: 'The annotation as it is now.', body: Annotation },
  problems: [
    'capability_required',
    'physician_profile_required',
    'annotation_not_found',
    'case_state_conflict',
    'annotation_published',
  ],
  async handler({ params: { uuid }, body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const annotation = await cancelAnnotation(context, actor, uuid, body, version);
    replyHeaders['etag'] = versionTag(annotation.version);
    return annotation;
  },
});

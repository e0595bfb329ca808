import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Annotation } from '../../../../domain/answers/annotations/annotation.schemas.ts';
import {
  AnnotationCreation,
  annotationBodyLimit,
} from '../../../../domain/answers/annotations/annotation-input.schemas.ts';
import { createAnnotation } from '../../../../domain/answers/annotations/create-annotation.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeCreateAnnotation = endpoint({
  name: 'v1BackofficeCreateAnnotation',
  method: 'POST',
  route: 'api/v1/backoffice/annotations/{uuid}',
  tag: 'Backoffice',
  summary: 'Answer a case, or audit its answer',
  description:
    '`dermatologist`: a draft of the answer to a case that the caller has in hand; with `sign` it is signed at once. ' +
    'The patient reads a signed answer after the minutes of the parameter `queue/rules`, `undo_minutes`; at once where ' +
    'the case is an emergency or urgent. A signature needs one to five diagnoses, exactly one of them primary, ' +
    '`recommended_action`, `image_quality_ok`, and every flag of high or emergency urgency in `acknowledged_flags`. A ' +
    'refused signature stores nothing. After the lease has run out a signature still counts while no other physician ' +
    'has the case.\n\n`audit`: a review of the published answer of another physician; needs the capability `case.audit`.',
  auth: 'physician-level',
  audit: auditEvents.annotationCreated,
  reads: ['idempotency-key'],
  sends: ['ETag', 'Idempotency-Replayed'],
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  body: AnnotationCreation,
  bodyLimit: annotationBodyLimit,
  reply: { status: 201, description: 'The annotation.', body: Annotation },
  problems: [
    'disease_unknown',
    'template_invalid',
    'capability_required',
    'physician_profile_required',
    'template_not_found',
    'case_state_conflict',
    'lease_lost',
    'annotation_exists',
    'own_annotation',
    'red_flags_unacknowledged',
  ],
  async handler({ params: { uuid }, body, context, actor, replyHeaders }) {
    const { reply, replayed } = await createAnnotation(context, actor, uuid, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});

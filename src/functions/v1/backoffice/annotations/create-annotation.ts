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
  summary: 'Create an answer to a case, or an audit of an answer',
  description:
    '`dermatologist` creates a draft of the answer; the caller must hold the lease on the case. With `sign` the ' +
    'answer is signed in the same request. A signed answer is published `undo_minutes` later (parameter ' +
    '`queue/rules`); for emergencies, urgent cases and the advice to call for help it is published immediately. Signing requires one to five ' +
    'diagnoses, exactly one of them primary, `recommended_action`, `image_quality_ok`, and every flag of high or ' +
    'emergency urgency (200 at most) in `acknowledged_flags`. An answer that contradicts the danger of ' +
    'its case is signed with a reason (409 `answer_contradicts_urgency`). A rejected signature stores nothing. With ' +
    '`case_version` the reply is 412 `case_changed` where the case is no longer as the author has read it. After the lease has expired, ' +
    'the caller can still sign as long as no other physician has claimed the case.\n\n`audit` creates a review of ' +
    'another physician’s published answer; it requires the capability `case.audit`.',
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
    'answer_contradicts_urgency',
    'case_changed',
  ],
  async handler({ params: { uuid }, body, context, actor, replyHeaders }) {
    const { reply, replayed } = await createAnnotation(context, actor, uuid, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});

import type { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import {
  caseBodyLimit,
  CaseCreation,
  CaseCreationDocs,
} from '../../../../domain/cases/patient/case-input.schemas.ts';
import { createCase, type CreatedCase } from '../../../../domain/cases/patient/create-case.ts';
import { MobileCase } from '../../../../domain/cases/record/mobile-case.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

/** `isKnown` decides the status and does not leave. */
const Reply: z.ZodType<unknown, CreatedCase> = MobileCase;

export const v1MobileCreateCase = endpoint({
  name: 'v1MobileCreateCase',
  method: 'POST',
  route: 'api/v1/mobile/cases/create',
  tag: 'Cases',
  summary: 'Create a case, and submit it if it is complete',
  description:
    'The case is a draft until it is submitted: answers may be missing, but those present must be valid. Images are stored ' +
    'before and referenced here. `client_case_id` is unique: a repeated request with the same content gets 200 and the ' +
    'current case. With `submit` the reply contains `advice` if a rule of danger matches, even without the AI service; a ' +
    'flag of high urgency requires only consent. Staff can create a case for a patient, and change it until it is submitted.',
  auth: 'any',
  quota: 'questions',
  verifiedOnly: true,
  reads: ['lang', 'idempotency-key'],
  sends: ['Content-Language', 'ETag', 'Location', 'Idempotency-Replayed'],
  audit: auditEvents.caseCreated,
  body: CaseCreation,
  bodyDocs: CaseCreationDocs,
  bodyLimit: caseBodyLimit,
  reply: {
    status: 201,
    description: 'The case.',
    body: Reply,
    alternative: {
      status: 200,
      description: 'The case that the account has made before with this `client_case_id`.',
      when: ({ isKnown }) => isKnown === true,
    },
  },
  problems: [
    'patient_not_found',
    'image_not_found',
    'anamnesis_invalid',
    'age_mismatch',
    'case_incomplete',
    'consent_outdated',
    'draft_limit',
    'client_case_id_reused',
  ],
  async handler({ body, context, actor, replyHeaders }) {
    const { reply, replayed } = await createCase(context, actor, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['location'] = `/api/v1/mobile/cases/${reply.uuid}`;
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});

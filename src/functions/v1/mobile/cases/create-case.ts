import type { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import {
  caseBodyLimit,
  CaseCreation,
  CaseCreationDocs,
} from '../../../../domain/cases/cases/case-input.schemas.ts';
import { createCase, type CreatedCase } from '../../../../domain/cases/cases/create-case.ts';
import { MobileCase } from '../../../../domain/cases/cases/mobile-case.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

/** `isKnown` decides the status and does not leave. */
const Reply: z.ZodType<unknown, CreatedCase> = MobileCase;

export const v1MobileCreateCase = endpoint({
  name: 'v1MobileCreateCase',
  method: 'POST',
  route: 'api/v1/mobile/cases/create',
  tag: 'Cases',
  summary: 'Create a case, and submit it where it is complete',
  description:
    'A draft until it is submitted: answers may be missing, but those that are there must be valid. Photos are stored before ' +
    'and named here. `client_case_id` makes a case only once, for ever: sent again with equal content it is 200 with the case ' +
    'as it stands. With `submit` the reply has `advice` where a rule of danger applies, even while the AI service fails; a flag ' +
    'of high urgency needs consent and nothing else. Staff make one for a patient, and change it until it is submitted.',
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

import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { listCaseAnnotations } from '../../../../domain/answers/annotations/list-case-annotations.ts';
import { PatientAnnotations } from '../../../../domain/answers/annotations/patient-annotation.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileListCaseAnnotations = endpoint({
  name: 'v1MobileListCaseAnnotations',
  method: 'GET',
  route: 'api/v1/mobile/cases/{uuid}/annotations',
  tag: 'Cases',
  summary: 'Get the published answers to a case',
  description: 'Newest first; empty until one is published.',
  auth: 'any',
  audit: auditEvents.annotationRead,
  reads: ['lang'],
  sends: ['Content-Language'],
  params: z.object({ uuid: z.uuid().meta({ description: 'One’s own case.' }) }),
  missing: 'case_not_found',
  reply: { status: 200, description: 'The answers.', body: PatientAnnotations },
  problems: [],
  async handler({ params, context, actor }) {
    return await listCaseAnnotations(context, actor, params.uuid);
  },
});

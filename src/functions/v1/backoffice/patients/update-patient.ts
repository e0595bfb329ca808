import { z } from 'zod';
import { RecordVersion } from '../../../../contract/record-version.ts';
import { ExternalId } from '../../../../domain/identity/patients/profile.schemas.ts';
import { PrivatePool } from '../../../../domain/identity/groups/private-pool.ts';
import { updatePatient } from '../../../../domain/identity/patients/update-patient.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

const PatientFacts = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the patient.' }),
    external_id: z.string().nullable().meta({ description: 'The clinic’s id of the person.' }),
    pool: z.string().nullable().meta({ description: 'Who is asked first; null for all physicians.' }),
    version: z.int().meta({ description: 'Incremented by each change; for `If-Match`.' }),
  })
  .meta({ id: 'PatientFacts', description: 'What a clinic decides about a patient.' });

export const v1BackofficeUpdatePatient = endpoint({
  name: 'v1BackofficeUpdatePatient',
  method: 'PATCH',
  route: 'api/v1/backoffice/patients/{uuid}',
  tag: 'Backoffice',
  summary: 'Set the external id and the pool of a patient',
  description:
    'The clinic assigns both; patients cannot change them. Cases that are already queued stay in their lane.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'patient_updated', refusal: 'patient_updated' },
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A patient of the tenant.' }) }),
  missing: 'patient_not_found',
  body: z
    .strictObject({
      external_id: ExternalId.nullable().optional().meta({ description: 'Null removes it.' }),
      pool: PrivatePool.nullable()
        .optional()
        .meta({ description: 'Who is asked first; null for all physicians.' }),
      version: RecordVersion.optional().meta({ description: 'Of the patient; or send `If-Match`.' }),
    })
    .meta({ id: 'PatientChange', description: 'Absent members are not changed; null removes a value.' }),
  reply: { status: 200, description: 'The patient as it is now.', body: PatientFacts },
  problems: ['patient_not_found', 'external_id_taken'],
  async handler({ context, actor, params: { uuid }, body: { version, ...change }, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const patient = await updatePatient(context, actor, { ...change, uuid, version: expected });
    replyHeaders['etag'] = versionTag(patient.version);
    return patient;
  },
});

import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findVisibleCase } from '../../cases/record/visible-cases.ts';
import { requireDiseases } from '../../catalogue/diseases/disease.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { directionOf } from '../../platform/texts/direction.ts';
import { type AnswerData, dayOf, noStatements } from './answer-data.ts';
import { readAuthorFacts, readCaseFacts, withoutCase } from './answer-data.queries.ts';
import { composeText } from './compose-text.ts';
import { defaultDiagnoses } from './default-text.ts';
import type { DiagnosesToFormat, FormattedDiagnoses } from './format-diagnoses.schemas.ts';
import { diagnosesIn } from './diagnosis-data.ts';
import { requireBody } from './template.queries.ts';

/**
 * Diagnoses as a text in a language, with the catalogue's names, by a template or by the words that are shipped. Nothing is
 * stored; the same input gives the same text on the same day.
 * @throws {Problem} `case_not_found`, `disease_unknown`, `template_not_found`, `template_invalid`
 */
export async function formatDiagnoses(
  context: Context,
  actor: AccountActor,
  { case_uuid: caseUuid, diagnoses, template_id: templateId, lang, tone }: DiagnosesToFormat,
): Promise<FormattedDiagnoses> {
  const { db, audit, request } = context;
  const at = request.receivedAt;
  const { time_zone: timeZone } = await readParameters(context, actor.tenantId, 'notify/rules');
  return await inTenant(db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const physicianId = staff.physician?.id ?? null;
    const record = caseUuid === undefined ? undefined : await findVisibleCase(tx, staff, caseUuid);
    const diseases = await requireDiseases(tx, diagnoses, { retired: diagnoses });
    const data: AnswerData = {
      ...(record === undefined ? withoutCase : await readCaseFacts(tx, record, lang, { at, timeZone })),
      ...(await readAuthorFacts(tx, actor.tenantId, physicianId)),
      ...diagnosesIn(lang, diagnoses, diseases, 'catalogue'),
      ...noStatements,
      today: dayOf(at, timeZone),
    };
    const source =
      templateId === undefined
        ? { blocks: defaultDiagnoses(data, lang, tone) }
        : { body: await requireBody(tx, { id: templateId, physicianId, language: lang }) };
    await audit.succeeded(tx, {
      ...(record && { caseUuid: record.uuid, patientId: record.patient_id }),
      detail: { diagnoses: diagnoses.length, language: lang, template: templateId ?? null },
    });
    return { ...composeText(data, lang, source), direction: directionOf(lang) };
  });
}

// The calls of physicians. Those that change something name the version that was read.
import type {
  AuditCreation,
  CaseDetail,
  CaseSearch,
  DiagnosesToFormat,
  HistoryReason,
  HoldAction,
  Language,
  NewTemplate,
  NextCaseRequest,
  PhysicianSettingsChange,
  ReleaseReason,
  ReopenReason,
  TemplateChange,
} from 'dermagate-client';
import type { AnamnesisLabels, AnswerBody } from './desk-types.ts';
import { everyItem } from './every-item.ts';
import { attempt, dermagate } from './gateway.ts';
import { staff } from './staff.ts';

const { queue, cases, answers, templates, diseases, physicians } = staff;
const { config } = dermagate;

export const { followSession } = staff;

export const takeNextCase = (body: NextCaseRequest) => attempt(() => queue.next(body));

export const searchCases = (body: CaseSearch, given: AbortSignal) =>
  attempt((signal) => queue.search(body, { signal }), given);

export const readBatch = (uuid: string, given: AbortSignal) =>
  attempt((signal) => queue.batch(uuid, { limit: 20 }, { signal }), given);

export const checkCases = (uuids: readonly string[], given: AbortSignal) =>
  attempt((signal) => queue.checkBatch(uuids, { signal }), given);

/** For the physician who has it in hand this also renews the lease. */
export const readStaffCase = (uuid: string, given: AbortSignal) =>
  attempt((signal) => cases.get(uuid, { signal }), given);

export type PlainAction = 'claim' | 'resume' | 'undo';
type ReadCase = Pick<CaseDetail, 'uuid' | 'version'>;

export const moveCase = (action: PlainAction, { uuid, version }: ReadCase) =>
  attempt(() => queue[action](uuid, { version }));

/** An emergency that a physician on call may take without having read it. */
export const claimUnseen = (uuid: string) => attempt(() => queue.claim(uuid));

export const releaseCase = ({ uuid, version }: ReadCase, reason: ReleaseReason) =>
  attempt(() => queue.release(uuid, { reason, version }));

export const reopenCase = ({ uuid, version }: ReadCase, reason: ReopenReason) =>
  attempt(() => queue.reopen(uuid, { reason, version }));

export type Hold = Omit<HoldAction, 'action' | 'version'>;

export const holdCase = ({ uuid, version }: ReadCase, hold: Hold) =>
  attempt(() => queue.hold(uuid, { ...hold, version }));

/** Fifty of the patient's cases. @param cursor of the page before. */
export const readHistory = (
  patient: string,
  { reason, cursor }: { reason?: HistoryReason | undefined; cursor?: string | undefined },
  given: AbortSignal,
) =>
  attempt(
    (signal) =>
      cases.history(
        patient,
        {
          limit: 50,
          ...(reason !== undefined && { reason }),
          ...(cursor !== undefined && { cursor }),
        },
        { signal },
      ),
    given,
  );

export const createAnswer = (uuid: string, body: AnswerBody, idempotencyKey: string) =>
  attempt(() => answers.create(uuid, body, { idempotencyKey }));

export const saveAnswer = (uuid: string, body: AnswerBody, version: number) =>
  attempt(() => answers.save(uuid, { ...body, version }));

/** Refused with `case_changed` where the case is no longer of the version that was read. */
export const signAnswer = (
  uuid: string,
  body: AnswerBody,
  { version, caseVersion }: { version: number; caseVersion: number },
) => attempt(() => answers.sign(uuid, { ...body, version, case_version: caseVersion }));

export const amendAnswer = (
  uuid: string,
  body: AnswerBody,
  { version, caseVersion, reason }: { version: number; caseVersion: number; reason: string },
) =>
  attempt(() => answers.amend(uuid, { ...body, version, case_version: caseVersion, amend_reason: reason }));

export type AuditBody = Omit<AuditCreation, 'kind' | 'sign'>;

/** Signs it; a draft that exists is replaced. @param body with the version of the case that was read. */
export const signAudit = (uuid: string, body: AuditBody, version: number | undefined) =>
  attempt(() =>
    version === undefined
      ? answers.audit(uuid, { ...body, sign: true })
      : answers.saveAudit(uuid, { ...body, sign: true, version }),
  );

export const formatDiagnoses = (body: DiagnosesToFormat, given: AbortSignal) =>
  attempt((signal) => answers.format(body, { signal }), given);

/** @param q beginnings of words of a name in any language, or of a code. */
export const findDiseases = (q: string, given: AbortSignal) =>
  attempt((signal) => diseases.list('dermagate', { q, limit: 20 }, { signal }), given);

/** The whole catalogue, which has some dozens. */
export const listDiseases = (given: AbortSignal) =>
  attempt((signal) => diseases.list('dermagate', { limit: 500 }, { signal }), given);

export const listTemplates = (lang: Language, given: AbortSignal) =>
  attempt(
    (signal) =>
      everyItem((at) => templates.list({ kind: 'diagnosis_text', lang, limit: 100, ...at }, { signal })),
    given,
  );

export const listOwnTemplates = (given: AbortSignal) =>
  attempt(
    (signal) => everyItem((at) => templates.ofPhysician('me', { limit: 100, ...at }, { signal })),
    given,
  );

export const createTemplate = (body: NewTemplate, idempotencyKey: string) =>
  attempt(() => templates.create(body, { idempotencyKey }));

export const updateTemplate = (id: number, body: TemplateChange & { version: number }) =>
  attempt(() => templates.update(id, body));

export const deleteTemplate = (id: number) => attempt(() => templates.delete(id));

export const readMyProfile = (uuid: string, given: AbortSignal) =>
  attempt((signal) => physicians.list({ uuids: [uuid] }, { signal }), given);

export const listColleagues = (given: AbortSignal) =>
  attempt(
    (signal) => everyItem((at) => physicians.list({ filter: {}, limit: 100, ...at }, { signal })),
    given,
  );

export const changeMySettings = (body: PhysicianSettingsChange & { version: number }) =>
  attempt(() => physicians.updateSettings(body));

export const changeMyActivity = (body: {
  vacation_mode: boolean;
  until?: string | null;
  hand_back?: boolean;
}) => attempt(() => physicians.changeActivity(body));

export const readDeskFeatures = (given: AbortSignal) =>
  attempt((signal) => config.parameters('desk', 'features', { signal }), given);

export const readAnamnesisLabels = (given: AbortSignal) =>
  attempt(async (signal) => {
    const labels: unknown = await config.resource('anamnesis-labels.json', { signal });
    return labels as AnamnesisLabels;
  }, given);

/** The live counts of the clinic, for those who may see them; rejects where there are none. */
export const { followCounts } = queue;

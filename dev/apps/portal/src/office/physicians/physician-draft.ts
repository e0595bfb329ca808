import type { Language, PhysicianDetails, PhysicianSettingsChange } from 'dermagate-client';

/** The entries of the form about a physician; an empty text removes the value. */
export interface PhysicianDraft {
  displayName: string;
  title: string;
  language: Language;
  reviewLanguages: readonly Language[];
  pool: string;
  generalPool: boolean;
  maxOpenCases: string;
  canSign: boolean;
  auditExempt: boolean;
}

export function draftOfPhysician(physician: PhysicianDetails): PhysicianDraft {
  const { settings = {}, admin_settings: admin = {} } = physician;
  return {
    displayName: settings.display_name ?? '',
    title: settings.title ?? '',
    language: physician.language_preference,
    reviewLanguages: settings.review_languages ?? [],
    pool: physician.private_pool ?? '',
    generalPool: admin.general_pool ?? true,
    maxOpenCases: String(admin.max_open_cases ?? 1),
    canSign: admin.can_sign ?? true,
    auditExempt: admin.audit_exempt ?? false,
  };
}

export function changeOfDraft(
  draft: PhysicianDraft,
  { uuid, version }: PhysicianDetails,
): PhysicianSettingsChange & { version: number } {
  const { reviewLanguages } = draft;
  return {
    physician_uuid: uuid,
    version,
    language_preference: draft.language,
    private_pool: draft.pool.trim() || null,
    settings: {
      display_name: draft.displayName.trim() || null,
      title: draft.title.trim() || null,
      review_languages: reviewLanguages.length === 0 ? null : [...reviewLanguages],
    },
    admin_settings: {
      general_pool: draft.generalPool,
      max_open_cases: Number(draft.maxOpenCases),
      can_sign: draft.canSign,
      audit_exempt: draft.auditExempt,
    },
  };
}

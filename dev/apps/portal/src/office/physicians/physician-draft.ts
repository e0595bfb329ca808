import type { Language, PhysicianDetails, PhysicianSettingsChange } from 'dermagate-client';
import { changedEntries, mergedList } from '../../staff/changed-entries.ts';

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

const orNull = (text: string) => text.trim() || null;

/**
 * The settings in which the draft differs from `base`, the physician that it began from; the gateway does not change the
 * others, such as rights that another admin has withdrawn since.
 * @param current whose version is sent.
 */
export function changeOfDraft(
  draft: PhysicianDraft,
  base: PhysicianDetails,
  current: PhysicianDetails,
): PhysicianSettingsChange & { version: number } {
  const before = draftOfPhysician(base);
  const { displayName, title, language, reviewLanguages, pool, ...rights } = changedEntries(draft, before);
  const { generalPool, maxOpenCases, canSign, auditExempt } = rights;
  const theirs = draftOfPhysician(current).reviewLanguages;
  const languages = reviewLanguages && mergedList(reviewLanguages, before.reviewLanguages, theirs);
  return {
    physician_uuid: current.uuid,
    version: current.version,
    ...(language !== undefined && { language_preference: language }),
    ...(pool !== undefined && { private_pool: orNull(pool) }),
    settings: {
      ...(displayName !== undefined && { display_name: orNull(displayName) }),
      ...(title !== undefined && { title: orNull(title) }),
      ...(languages !== undefined && { review_languages: languages.length === 0 ? null : languages }),
    },
    admin_settings: {
      ...(generalPool !== undefined && { general_pool: generalPool }),
      ...(maxOpenCases !== undefined && { max_open_cases: Number(maxOpenCases) }),
      ...(canSign !== undefined && { can_sign: canSign }),
      ...(auditExempt !== undefined && { audit_exempt: auditExempt }),
    },
  };
}

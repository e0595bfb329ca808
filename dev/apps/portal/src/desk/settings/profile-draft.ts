import type { Language, PhysicianDetails, PhysicianSettingsChange } from 'dermagate-client';
import { plainLine } from '../../staff/plain-line.ts';

/** The entries of the form about one's own profile; an empty text removes the value. */
export interface ProfileDraft {
  displayName: string;
  title: string;
  signature: string;
  /** One's own choice, without the languages that groups add. */
  reviewLanguages: readonly Language[];
  mail: boolean;
  push: boolean;
  uniqueSession: boolean;
}

export function draftOfProfile({ settings = {} }: Pick<PhysicianDetails, 'settings'>): ProfileDraft {
  return {
    displayName: settings.display_name ?? '',
    title: settings.title ?? '',
    signature: settings.signature_text ?? '',
    reviewLanguages: settings.review_languages ?? [],
    mail: settings.notify?.mail ?? true,
    push: settings.notify?.push ?? true,
    uniqueSession: settings.unique_session ?? false,
  };
}

const orNull = (text: string) => text.trim() || null;

/**
 * The settings in which the draft differs from the profile that it began from; the gateway does not change the others.
 * @param version of the profile as the gateway has it.
 */
export function changeOfProfile(
  draft: ProfileDraft,
  profile: Pick<PhysicianDetails, 'settings'>,
  version: number,
): PhysicianSettingsChange & { version: number } {
  const before = draftOfProfile(profile);
  const differs = (...names: (keyof ProfileDraft)[]) =>
    names.some((name) => String(draft[name]) !== String(before[name]));
  const { reviewLanguages } = draft;
  return {
    version,
    settings: {
      ...(differs('displayName') && { display_name: orNull(plainLine(draft.displayName)) }),
      ...(differs('title') && { title: orNull(plainLine(draft.title)) }),
      ...(differs('signature') && { signature_text: orNull(draft.signature) }),
      ...(differs('reviewLanguages') && {
        review_languages: reviewLanguages.length === 0 ? null : [...reviewLanguages],
      }),
      ...(differs('mail', 'push') && {
        notify: {
          ...(differs('mail') && { mail: draft.mail }),
          ...(differs('push') && { push: draft.push }),
        },
      }),
      ...(differs('uniqueSession') && { unique_session: draft.uniqueSession }),
    },
  };
}

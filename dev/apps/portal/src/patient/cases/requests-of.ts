import type { MobileCase } from 'dermagate-client';

/** What the service asks of the patient, by the newest message. */
export interface Requests {
  photos: boolean;
  answers: boolean;
  consent: boolean;
  guardian: boolean;
}

export function requestsOf({ messages }: Pick<MobileCase, 'messages'>): Requests {
  const newest = messages.findLast(({ direction }) => direction === 'to_patient');
  const codes = new Set(newest?.codes.map((code) => code.split(':')[0]));
  return {
    photos: codes.has('retake_photos') || codes.has('photos_missing'),
    answers: codes.has('answers_missing'),
    consent: codes.has('consent_outdated'),
    guardian: codes.has('guardian_required'),
  };
}

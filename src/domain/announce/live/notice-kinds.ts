/** A case, and the part of it that the notice is about: ids only. */
interface OfCase {
  case_uuid: string;
}

/** What notices carry, by kind: ids and times, from which the stream makes its events. */
export interface NoticePayloads {
  'case.assigned': OfCase;
  'case.lease_expired': OfCase;
  'case.cancelled': OfCase;
  /** `ends_at`: as ISO 8601. */
  'lease.expiring': OfCase & { ends_at: string };
  'audit.correction_required': OfCase & { annotation_uuid: string };
  /**
   * Of a session: only its own streams deliver them. `replaced_by`: the session that was opened instead. These two are written
   * by `end_sessions` of the database.
   */
  'session.replaced': { session_uuid: string; replaced_by: string };
  'session.revoked': { session_uuid: string; reason: string };
  'session.expiring': { session_uuid: string; ends_at: string };
}

export type NoticeKind = keyof NoticePayloads;

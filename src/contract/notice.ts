/** What a member of staff is told at work, as it is stored: ids and times. */
export interface Notice {
  /** Grows in the order in which the notices of one user become visible. */
  id: number;
  userId: number;
  kind: string;
  payload: Readonly<Record<string, string>>;
  /** `User-Agent` of the session that has replaced another, where it is about that. */
  agent: string | null;
  at: Date;
}

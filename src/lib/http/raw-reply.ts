/** A reply that is not JSON. */
export interface RawReply {
  /** The declared status unless given, such as 304. */
  status?: number;
  body: string | Uint8Array;
  headers: Record<string, string>;
}

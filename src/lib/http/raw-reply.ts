/** A reply that is not JSON. */
export interface RawReply {
  /** Where it differs from the declared one, such as 304. */
  status?: number;
  body: string | Uint8Array;
  headers: Record<string, string>;
}

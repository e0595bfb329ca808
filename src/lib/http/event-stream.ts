/** An event of `text/event-stream` (WHATWG HTML, 9.2). */
export interface StreamEvent {
  /** Sent back as `Last-Event-ID`. */
  id: number;
  name: string;
  data: object;
}

/** An event stream as one text; a comment where there is no event, so that it is never empty. */
export function eventStream(events: readonly StreamEvent[], retryMs: number): string {
  const blocks = events.map(
    ({ id, name, data }) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return [`retry: ${retryMs}\n\n`, ...(blocks.length > 0 ? blocks : [': nothing new\n\n'])].join('');
}

/** The id of `Last-Event-ID`; undefined where there is none, or none of ours. */
export function lastEventId(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

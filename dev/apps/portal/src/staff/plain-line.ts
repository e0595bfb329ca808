/**
 * A line as the gateway takes names and addresses. What is pasted can have tabs, and marks of direction that nothing shows,
 * such as those around each value in the sentences of the portal.
 */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '');

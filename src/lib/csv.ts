/** Tells Excel that the bytes are UTF-8; without it names in Hebrew and Arabic come out as signs. */
const byteOrderMark = '\ufeff';

/**
 * What spreadsheet programs take for the beginning of a formula (OWASP, CSV injection): these signs, in full width as well,
 * behind blanks as well; and the signs that some of them skip or take for the beginning of another cell.
 */
const formula = /^(?:[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/u;

/**
 * A table as CSV (RFC 4180) that a spreadsheet program can open: with a byte-order mark, every field in quotes, and a `'`
 * before what it would run.
 */
export function csvText(header: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [header.map(field).join(',')];
  for (const row of rows) lines.push(row.map((value) => field(value ?? '')).join(','));
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`;
}

function field(value: string): string {
  const text = formula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

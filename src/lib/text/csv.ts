/** Tells Excel that the bytes are UTF-8; without it names in Hebrew and Arabic come out as signs. */
const byteOrderMark = '\ufeff';

/**
 * What spreadsheet programs take for the beginning of a formula (OWASP, CSV injection): these signs, in full width as well,
 * behind blanks as well; and the signs that some of them skip or take for the beginning of another cell.
 */
const formula = /^(?:[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/u;

/**
 * Where a program whose list separator is another than the comma, as in Spanish Excel, begins a new cell in the middle of a
 * value: our quotes stand within its cells and hold nothing together.
 */
const formulaBehindSeparator = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/gu;

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
  const start = formula.test(value) ? "'" : '';
  const text = start + value.replaceAll(formulaBehindSeparator, "$&'");
  return `"${text.replaceAll('"', '""')}"`;
}

// npm run routes: every route with its access level, function name and summary.
import { endpoints } from '../endpoints.ts';

const rows = endpoints.map(({ method, route, auth, name, summary }) => [
  method,
  `/${route}`,
  auth,
  name,
  summary,
]);
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows) {
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

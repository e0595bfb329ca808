import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSchedule } from '../../dev/packages/functions-host/ncrontab.ts';
import { importsBetween, importsOf, readSources } from '../../dev/tools/module-graph/read-imports.ts';
import { endpoints } from '../../src/endpoints.ts';
import { createMeters } from '../../src/lib/telemetry/meters.ts';
import { createRequestMetrics } from '../../src/lib/telemetry/request-metrics.ts';
import { logRequest } from '../../src/lib/http/request-log.ts';
import { everyMinuteFunction } from '../../src/lib/timers/run-due.ts';
import { createLog } from '../../src/lib/telemetry/log.ts';
import { problems } from '../../src/contract/problem-list.ts';
import { timers } from '../../src/timers.ts';

/*
 * No Kusto can be run here, so these tests hold the queries to what the app writes: a renamed event, field, endpoint
 * or metric would silence an alert without notice.
 */

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Workbook {
  items: { name: string; content: { query?: string } }[];
}

const alertQueries = globSync('infra/queries/*.kql', { cwd: root }).map(
  (file) => [file, read(file)] as const,
);
const workbookQueries = (JSON.parse(read('infra/workbook.json')) as Workbook).items.flatMap(
  ({ name, content }) => (content.query === undefined ? [] : [[`workbook: ${name}`, content.query] as const]),
);
const queries = [...alertQueries, ...workbookQueries];
const sourceFiles = globSync('src/**/*.ts', { cwd: root }).map(read);
const source = sourceFiles.join('\n');

/** The quoted words of the lists and comparisons behind `column`. */
function wordsOf(query: string, column: string): string[] {
  const conditions = [
    ...query.matchAll(new RegExp(`\\b${column}\\)? (?:in|!in|has_any) \\(([^)]*)\\)`, 'g')),
    ...query.matchAll(new RegExp(`\\b${column}\\)? (?:==|has) ('[^']*')`, 'g')),
  ];
  return conditions.flatMap(([, words = '']) =>
    [...words.matchAll(/'([^']+)'/g)].map(([, word = '']) => word),
  );
}

/** The line of a request, as the app writes it. */
const requestLine = (() => {
  let written = '';
  const log = createLog((_, line) => (written = line), 'info', { requestId: 'x' });
  logRequest(log, createRequestMetrics(createMeters()), {
    function: 'logIn',
    response: { status: 200 },
    started: performance.now(),
    user: 'x',
    tenant: 1,
    code: 'x',
  });
  return JSON.parse(written) as Record<string, unknown>;
})();

test('there are queries', () => {
  expect(alertQueries.length).toBeGreaterThan(6);
  expect(workbookQueries.length).toBeGreaterThan(10);
  expect(queries.flatMap(([, query]) => wordsOf(query, 'event')).length).toBeGreaterThan(15);
});

test('every alert has its row in the table that tells operators what to do', () => {
  const names = [...read('infra/modules/alerts.bicep').matchAll(/^ {4}name: '([\w-]+)'$/gm)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(9);
  const operations = read('docs/operations.md');
  expect(names.filter((name) => !operations.includes(`\n| \`${name}\` |`))).toEqual([]);
});

/** What the app writes into the lines of an event, by the text of the calls that write it. */
function fieldsOf(event: string): string[] {
  return sourceFiles.flatMap((text) =>
    [...text.matchAll(new RegExp(`'${event}',\\s*(\\{[^}]*\\}|facts\\b)`, 'g'))].flatMap(([, given = '']) => {
      const facts = /\bfacts\b/.test(given) ? (/const facts = \{([^}]*)\}/.exec(text)?.[1] ?? '') : '';
      return `${given} ${facts}`.match(/\w+/g) ?? [];
    }),
  );
}

describe.each(alertQueries)('%s', (_, query) => {
  test('reads fields of an event that its lines have', () => {
    const events = wordsOf(query, 'event').filter((event) => event !== 'request');
    if (events.length === 0) return;
    // Every line has these.
    const written = new Set(['event', 'function', 'requestId', ...events.flatMap(fieldsOf)]);
    const read = [...query.matchAll(/\bline(?:\.(\w+)|\['(\w+)'\])/g)].map(
      ([, plain, quoted]) => plain ?? quoted,
    );
    for (const field of read) expect([...written]).toContain(field);
  });
});

test('a request that is held until there is something to tell does not count as slow', () => {
  const held = endpoints
    .filter(({ reply }) => 'raw' in reply && reply.raw === 'text/event-stream')
    .map(({ name }) => name);
  expect(held).toEqual(['v1BackofficeConnectSession']);
  const slow = alertQueries.find(([file]) => file.endsWith('slow-requests.kql'))?.[1] ?? '';
  expect(wordsOf(slow, 'endpoint')).toEqual(expect.arrayContaining(held));
});

describe.each(queries)('%s', (_, query) => {
  test('matches events that the app writes', () => {
    for (const event of new Set([...wordsOf(query, 'event'), ...wordsOf(query, 'Message')])) {
      if (Object.hasOwn(problems, event)) continue;
      expect(source, event).toMatch(new RegExp(`(?:log|\\blog\\[[^\\]]+\\])(?:\\.\\w+)?\\(\\s*'${event}'`));
    }
  });

  test('names endpoints and problems that exist', () => {
    const names = new Set(endpoints.map(({ name }) => name));
    for (const endpoint of wordsOf(query, 'endpoint')) expect(names).toContain(endpoint);
    for (const code of wordsOf(query, 'code')) expect(Object.keys(problems)).toContain(code);
  });

  test('reads fields of a request that its line has', () => {
    if (!wordsOf(query, 'event').includes('request')) return;
    const fields = [...query.matchAll(/\bline(?:\.(\w+)|\['(\w+)'\])/g)].map(
      ([, plain, quoted]) => plain ?? quoted,
    );
    expect(fields.length).toBeGreaterThan(1);
    for (const field of fields) expect(Object.keys(requestLine)).toContain(field);
  });

  test('names outcomes and routes of calls of the AI service and of the eligibility service', () => {
    const outcomes = /type AiOutcome =([^;]*);/.exec(read('src/lib/ai/ai-metrics.ts'))?.[1] ?? '';
    for (const outcome of wordsOf(query, 'outcome')) expect(outcomes).toContain(`'${outcome}'`);
    for (const route of wordsOf(query, 'route').filter((each) => each !== 'cases'))
      expect(read('src/domain/cases/admission/check-membership.ts')).toContain(`members.post('${route}'`);
  });

  test('finds AI calls by the name of their spans', () => {
    if (!query.includes('AppDependencies')) return;
    expect(query).toContain("Name startswith 'AI '");
    expect(read('src/lib/ai/ai-span.ts')).toContain('startSpan(`AI ${route}`');
  });

  test('reads metrics that the app records', () => {
    for (const name of wordsOf(query, 'Name')) expect(source).toContain(`'${name}'`);
  });
});

test('what counts as a request with AI is the same everywhere, and every endpoint that calls the AI service', () => {
  // An endpoint that calls the AI service has to name what the caller is told when that is down.
  const calling = endpoints
    .filter(({ problems }) => problems.includes('ai_unavailable'))
    .map(({ name }) => name)
    .toSorted();
  const lists = queries.flatMap(([, query]) =>
    [...query.matchAll(/endpoint !?in \(([^)]*createDiagnosis[^)]*)\)/g)].map(([, words = '']) =>
      [...words.matchAll(/'(\w+)'/g)].map(([, word = '']) => word).toSorted((a, b) => a.localeCompare(b)),
    ),
  );
  expect(lists.length).toBeGreaterThan(2);
  for (const list of lists) expect(list).toEqual(calling);
});

test('a request that waits for the AI service or the eligibility service, and is answered without it, does not count as slow', () => {
  const modules = new Map(
    [...readSources()]
      .filter(([file]) => file.startsWith('src/'))
      .map(([file, text]) => [file, text.replaceAll(/^import type [^;]*;/gm, '')]),
  );
  const imports = importsBetween(importsOf(modules), modules);
  const waiting = ['src/domain/intake/ai-calls/ask-ai.ts', 'src/domain/cases/admission/check-membership.ts'];
  const waits = (file: string): boolean => {
    const reached = new Set([file]);
    for (const each of reached)
      for (const { target } of imports.filter((found) => found.file === each)) reached.add(target);
    return waiting.some((each) => reached.has(each));
  };
  const names = endpoints
    .filter(({ problems }) => !problems.includes('ai_unavailable'))
    .map(({ name }) => name)
    .filter((name) =>
      [...modules].some(
        ([file, text]) =>
          file.startsWith('src/functions/') && text.includes(`  name: '${name}',\n`) && waits(file),
      ),
    );
  expect(names).toContain('v1MobileUploadImages');
  const lists = queries.flatMap(([, query]) =>
    [...query.matchAll(/endpoint !?in \(([^)]*v1MobileUploadImages[^)]*)\)/g)].map(([, words = '']) =>
      [...words.matchAll(/'(\w+)'/g)].map(([, word = '']) => word),
    ),
  );
  expect(lists).toHaveLength(3);
  for (const list of lists) expect(new Set(list)).toEqual(new Set(names));
});

test('every query belongs to an alert, and every documented alert exists', () => {
  const template = read('infra/modules/alerts.bicep');
  const used = [...template.matchAll(/loadTextContent\('\.\.\/(queries\/[\w-]+\.kql)'\)/g)].map(
    ([, file]) => `infra/${file}`,
  );
  expect(used.toSorted()).toEqual(alertQueries.map(([file]) => file).toSorted());
  const names = [...template.matchAll(/^ {4}name: '([\w-]+)'$/gm)].map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'server-errors',
      'slow-requests',
      'slow-ai',
      'ai-breaker-open',
      'ai-degraded',
      'eligibility-failing',
      'throttling-surge',
      'refresh-token-reuse',
      'emergency-waiting',
      'emergency-without-on-call',
      'queue-overdue',
      'outbox-stuck',
      'bulk-read',
      'notifications-failing',
      'daily-cap',
      'postgresql-cpu',
      'postgresql-storage',
      'postgresql-connections',
    ]),
  );
});

test('a gateway without live counts has no server errors by them; a hub that refuses the app is an event', () => {
  const failed = "toint(line.status) >= 500 and tostring(line.code) !in ('live_unavailable')";
  expect(read('infra/queries/server-errors.kql')).toContain(failed);
  const tile = workbookQueries.find(([name]) => name === 'workbook: now')?.[1];
  expect(tile).toContain("status >= 500 and code !in ('live_unavailable')");
  expect(wordsOf(read('infra/queries/needs-a-person.kql'), 'event')).toContain('live_unavailable');
});

test('the workbook shows every error that the app logs', () => {
  const errors = sourceFiles.flatMap((text) =>
    [...text.matchAll(/\blog\.error\(\s*'(\w+)'/g)].map(([, event = '']) => event),
  );
  expect(errors.length).toBeGreaterThan(10);
  const shown = workbookQueries.flatMap(([, query]) => wordsOf(query, 'event'));
  expect(errors.filter((event) => !shown.includes(event))).toEqual([]);
});

test('what can be restored for days only raises an alert', () => {
  expect(wordsOf(read('infra/queries/needs-a-person.kql'), 'event')).toContain('image_blob_missing');
});

test('events that happen once are searched over more than one run, so that a late line is not missed', () => {
  const template = read('infra/modules/alerts.bicep');
  for (const name of ['refresh-token-reuse', 'needs-a-person', 'bulk-read', 'daily-cap']) {
    const [, minutes, window] =
      new RegExp(
        `name: '${name}'(?:\\n {4}.*)*?\\n {4}minutes: (\\d+)\\n {4}window: (\\d+)(?:\\n {4}by: .*)?\\n {2}}`,
      ).exec(template) ?? [];
    expect(Number(window), name).toBeGreaterThanOrEqual(2 * Number(minutes));
  }
  expect(template).toContain("windowSize: 'PT${union({ window: alert.minutes }, alert).window}M'");
});

/** The column by which an alert is split, by its name. */
const splits = new Map(
  [...read('infra/modules/alerts.bicep').matchAll(/^ {4}name: '([\w-]+)'\n(?: {4}.*\n)*? {2}\}$/gm)].flatMap(
    ([entry, name = '']) => {
      const [, by] = /^ {4}by: '(\w+)'$/m.exec(entry) ?? [];
      return by === undefined ? [] : [[name, by] as const];
    },
  ),
);

test('a clinic whose alert is open hides that of no other clinic; an alert is split by a text that its rows have', () => {
  for (const [file, query] of alertQueries) {
    const name = file.replace(/^.*\/|\.kql$/g, '');
    const by = splits.get(name);
    const columns = [...query.matchAll(/\| (?:project|summarize .* by) (.*)/g)].at(-1)?.[1] ?? '';
    if (/\btenant\b/.test(columns)) expect(['tenant', 'user'], name).toContain(by);
    if (by === undefined) continue;
    expect(columns, name).toMatch(new RegExp(`\\b${by}\\b`));
    expect(query, name).toMatch(
      new RegExp(`\\b${by} = tostring\\(|\\b${by} = \\w+(?:\\(.*\\))? to typeof\\(string\\)`),
    );
  }
  expect(Object.fromEntries(splits)).toMatchObject({
    'ai-degraded': 'route',
    'emergency-waiting': 'tenant',
    'emergency-without-on-call': 'tenant',
    'needs-a-person': 'event',
    'outbox-stuck': 'consumer',
    'timers-stopped': 'timer',
  });
});

test('the alert on stopped timers names every timer that runs each minute, and no other', () => {
  const query = read('infra/queries/timers-stopped.kql');
  const [, list = ''] = /dynamic\(\[([^\]]*)\]\)/.exec(query) ?? [];
  const named = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  const ofTheMinute = timers.filter(({ schedule }) => schedule.everyMinutes === 1);
  expect(new Set(named)).toEqual(new Set(ofTheMinute.map(({ name }) => name)));
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    (_, written) => void lines.push(JSON.parse(written) as Record<string, unknown>),
    'info',
    {
      function: 'watchQueue',
    },
  );
  log.info('timer', {});
  expect(lines).toMatchObject([{ event: 'timer', function: 'watchQueue' }]);
});

test('the alert on overdue timers names every other timer, with a limit that its longest pause stays below', () => {
  const query = read('infra/queries/timers-overdue.kql');
  const limits = [
    ...query.matchAll(/iff\(since < ago\((\d+)h\), set_difference\(dynamic\(\[([^\]]*)\]\), in(\d+)h\)/g),
  ];
  const named = limits.flatMap(([, hours, list = '', ofSet]) => {
    expect(ofSet).toBe(hours);
    expect(query).toContain(`in${hours}h = make_set_if(ran, TimeGenerated > ago(${hours}h))`);
    return [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => ({ name, hours: Number(hours) }));
  });
  for (const { name, hours } of named) {
    const longest = (timers.find((timer) => timer.name === name)?.schedule.everyMinutes ?? 0) / 60;
    expect(hours, name).toBeGreaterThan(longest);
    expect(hours, name).toBeLessThanOrEqual(Math.min(4 * longest, longest + 2));
  }
  const stopped = read('infra/queries/timers-stopped.kql');
  expect(named.map(({ name }) => name).toSorted()).toEqual(
    timers
      .map(({ name }) => name)
      .filter((name) => !stopped.includes(`'${name}'`))
      .toSorted(),
  );
  // Azure's longest window, which must be longer than the longest limit.
  const window = Number(
    /timers-overdue\.kql'\)\n(?: {4}.*\n)*? {4}window: (\d+)/.exec(read('infra/modules/alerts.bicep'))?.[1],
  );
  expect(window).toBe(2 * 24 * 60);
  expect(Math.max(...named.map(({ hours }) => hours)) * 60).toBeLessThan(window);
});

test('the costs count every run of the function of the timers in a month of 730 hours, and the lines of every timer', () => {
  const { next } = parseSchedule(everyMinuteFunction.schedule);
  const start = Date.parse('2026-11-01T00:00:00Z');
  let ofHour = 0;
  for (let at = next(start - 1); at < start + 3_600_000; at = next(at)) ofHour += 1;
  const lines = timers.reduce((sum, { schedule }) => sum + (730 * 60) / schedule.everyMinutes, 0);
  const operations = read('docs/operations.md');
  expect(operations).toContain(`${(730 * ofHour).toLocaleString('en')} timer runs`);
  expect(operations).toContain(`${Math.floor(lines).toLocaleString('en')} runs of a timer`);
});

test('thresholds are the documented ones: 500 ms, 3 s, 80 %', () => {
  expect(read('infra/queries/slow-requests.kql')).toContain('p95 > 500');
  expect(read('infra/queries/slow-ai.kql')).toContain('p95 > 3000');
  const template = read('infra/modules/alerts.bicep');
  const ofPostgres = ['postgresql-cpu', 'postgresql-storage', 'postgresql-connections'].map(
    (name) => new RegExp(`name: '${name}'(?:\\n {4}.*)*?\\n {4}threshold: (.+)\\n`).exec(template)?.[1],
  );
  expect(ofPostgres).toEqual(['80', '80', 'postgresMaxConnections * 80 / 100']);
  expect(template).toContain("metricName: 'cpu_percent'");
});

test('sampling drops no error: not their lines, not exceptions, not failed requests', () => {
  const { logging } = JSON.parse(read('host.json')) as {
    logging: { applicationInsights: { samplingSettings: { isEnabled: boolean; excludedTypes: string } } };
  };
  const { excludedTypes } = logging.applicationInsights.samplingSettings;
  expect(excludedTypes.split(';').toSorted()).toEqual(['Exception', 'Request', 'Trace']);
});

test('the costs count every alert by how often it runs', () => {
  const template = read('infra/modules/alerts.bicep');
  const minutes = [...template.matchAll(/^ {4}minutes: (\d+)$/gm)].map(([, each]) => Number(each));
  const metrics = [...template.matchAll(/^ {4}metricName: /gm)].length;
  const tests = [...read('infra/modules/watching.bicep').matchAll(/^ {4}path: /gm)].length;
  const [often, seldom] = [
    minutes.filter((each) => each === 5).length,
    minutes.filter((each) => each >= 15).length,
  ];
  expect(minutes.length - often - seldom).toBe(1);
  const total = (often * 1.5 + 1 + seldom * 0.5 + (metrics + tests) * 0.1).toFixed(2);
  expect(read('docs/operations.md')).toContain(
    `| ${often} × 1.50 + 1.00 + ${seldom} × 0.50 + ${metrics + tests} × 0.10: **${total}** |`,
  );
});

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  areaOfDomain,
  floorsOfAreas,
  respectsWalls,
  roomOfCases,
  roomsOfCases,
} from '../dev/tools/module-graph/areas.ts';
import { type Arrow, findCircles } from '../dev/tools/module-graph/find-circles.ts';
import { countArrows, folderOf } from '../dev/tools/module-graph/folder-graph.ts';
import {
  importsBetween,
  importsOf,
  isTest,
  readSources,
  specifiersOf,
} from '../dev/tools/module-graph/read-imports.ts';
import { OWN_PROCESS } from './support/own-process.ts';

const root = join(import.meta.dirname, '..');

const sources = readSources();
/** Every module of ours, as a path from the project's root with `/` between its parts. */
const files = [...sources.keys()];

const client = 'dev/packages/client/src';
const generated = ['src/lib/db/tables.ts', `${client}/schema.ts`, `${client}/operations.ts`];
/** Data without a line that runs. */
const lists = ['src/contract/problem-list.ts'];

interface Layer {
  /** Start of the paths it is about, or `tests` for all tests; the first layer that fits a file counts. */
  of: string;
  /**
   * What its files may import: the start of a path of ours, or the name of a package. `packages` stands for every
   * package, `node` for the modules of Node itself.
   */
  may: readonly (string | RegExp)[];
}

/**
 * The import table of the architecture. A layer knows what lies below it and nothing of what lies above; the HTTP
 * edge (`lib/http`) is known to functions only.
 */
const layers: readonly Layer[] = [
  { of: 'tests', may: ['test/', 'src/', 'dev/', 'migrations/', 'packages', 'node'] },
  { of: 'src/contract/', may: ['src/contract/', 'zod'] },
  { of: 'src/functions/', may: ['src/domain/', 'src/lib/', 'src/contract/', 'zod'] },
  { of: 'src/timers/', may: ['src/domain/', 'src/lib/', 'src/contract/', 'zod'] },
  {
    of: 'src/domain/',
    may: [
      'src/domain/',
      'src/contract/',
      // All of it but `lib/http`: a use case knows no HTTP.
      /^src\/lib\/(?!http\/)/,
      'kysely',
      'zod',
      'uuid',
      'node:crypto',
      'node:url',
    ],
  },
  { of: 'src/lib/', may: ['src/lib/', 'src/contract/', 'packages', 'node'] },
  { of: 'src/cli/', may: ['src/', 'packages', 'node'] },
  { of: 'src/main.ts', may: ['src/app.ts', 'src/lib/', 'packages', 'node'] },
  { of: 'src/app.ts', may: ['src/', 'packages', 'node'] },
  { of: 'src/endpoints.ts', may: ['src/functions/', 'src/lib/http/'] },
  { of: 'src/timers.ts', may: ['src/timers/', 'src/lib/'] },
  { of: 'src/', may: [] },
  { of: 'migrations/', may: ['migrations/rights/', 'migrations/data/', 'kysely'] },
  // The host could be a package of its own, so it knows nothing of the project it runs.
  { of: 'dev/packages/functions-host/', may: ['dev/packages/functions-host/', 'packages', 'node'] },
  // What others may take: neither needs anything of the gateway but its contract, nor of Node.
  { of: 'dev/packages/client/src/', may: ['dev/packages/client/src/', 'openapi-fetch', 'idb-keyval'] },
  {
    of: 'dev/apps/portal/src/',
    may: [
      'dev/apps/portal/src/',
      'dermagate-client',
      'dermagate-client/staff',
      'preact',
      '@preact/signals',
      '@picocss/pico',
      '@tanstack/preact-query',
      'openseadragon',
      'regexparam',
      'tinykeys',
    ],
  },
  // What is generated is read from the endpoints themselves and from their scenarios.
  { of: 'dev/tools/openapi/', may: ['dev/', 'src/', 'packages', 'node'] },
  { of: 'dev/tools/generate/', may: ['dev/', 'src/', 'test/endpoints/', 'packages', 'node'] },
  // The scenarios of the endpoints are what is planned.
  { of: 'dev/tools/query-plans/', may: ['dev/', 'src/', 'test/endpoints/', 'packages', 'node'] },
  // It lists the timers of the app.
  { of: 'dev/run/timer.ts', may: ['dev/', 'src/timers.ts', 'src/lib/timers/', 'packages', 'node'] },
  { of: 'dev/', may: ['dev/', 'src/domain/', 'src/contract/', 'src/cli/', 'packages', 'node'] },
];

const isOf = ({ of }: Layer, file: string) => (of === 'tests' ? isTest(file) : file.startsWith(of));

function isAllowed(target: string, may: readonly (string | RegExp)[]): boolean {
  return may.some((allowed) => {
    if (allowed instanceof RegExp) return allowed.test(target);
    if (allowed === 'packages') return !isOurs(target) && !isBuiltin(target);
    if (allowed === 'node') return isBuiltin(target);
    return allowed.endsWith('/') ? target.startsWith(allowed) : target === allowed;
  });
}

const isOurs = (target: string) => /^(?:src|dev|migrations|test)\/|^\.\.?(?:\/|$)/.test(target);

const allImports = importsOf(sources);

/** Every import as `[file, target]`; those of this file's examples are none. */
const imports = allImports
  .filter(({ file }) => file !== 'test/architecture.test.ts')
  .map(({ file, target }): [string, string] => [file, target]);

test('the reading of import lines finds imports of every form', () => {
  const source = `
import 'zod';
import type { A } from './a.ts';
import { b,
  c } from "../b.ts";
export { d } from './d.ts';
const e = await import('./e.ts');
const text = "no import from 'here'";`;
  expect(specifiersOf(source)).toEqual(['zod', './a.ts', '../b.ts', './d.ts', './e.ts']);
  expect(imports.length).toBeGreaterThan(300);
  expect(imports).toContainEqual(['src/app.ts', 'src/lib/http/serve.ts']);
});

describe('the import table holds', () => {
  test.each(layers)('of $of', ({ of, may }) => {
    const own = imports.filter(([file]) => layers.find((layer) => isOf(layer, file))?.of === of);
    const wrong = own.filter(([, target]) => !isAllowed(target, may));
    expect(wrong.map(([file, target]) => `${file} imports ${target}`)).toEqual([]);
  });

  test.each([
    ['src/functions/health/get-health.ts', 'kysely'],
    ['src/functions/health/get-health.ts', '@azure/functions'],
    ['src/functions/health/get-health.ts', 'node:crypto'],
    ['src/domain/identity/users/user.queries.ts', 'src/lib/http/serve.ts'],
    ['src/domain/identity/users/user.queries.ts', 'src/functions/health/get-health.ts'],
    ['src/lib/configuration/config.ts', 'src/domain/identity/users/user.queries.ts'],
    ['src/lib/configuration/config.ts', 'src/main.ts'],
    ['src/cli/seed.ts', 'dev/run/start.ts'],
    ['src/stray.ts', 'zod'],
    ['migrations/01-create-roles.ts', 'src/contract/clock.ts'],
    ['migrations/01-create-roles.ts', 'pg'],
    ['dev/packages/functions-host/host.ts', 'src/contract/clock.ts'],
    ['dev/packages/functions-host/host.ts', 'dev/run/banner.ts'],
    ['dev/run/start.ts', 'src/lib/telemetry/log.ts'],
    ['dev/packages/client/src/session.ts', 'src/contract/problem.ts'],
    ['dev/packages/client/src/session.ts', 'node:crypto'],
    ['dev/apps/portal/src/app.tsx', 'dev/packages/client/src/session.ts'],
    ['dev/apps/portal/src/app.tsx', 'src/domain/intake/questions/question.schemas.ts'],
  ])('and would refuse %s importing %s', (file, target) => {
    const layer = layers.find((candidate) => isOf(candidate, file));
    expect(isAllowed(target, layer?.may ?? ['packages'])).toBe(false);
  });
});

describe('the walls between the areas of the domain hold, and those between the rooms of its cases', () => {
  const domain = files.filter((file) => file.startsWith('src/domain/'));

  test('every folder is a known area or room', () => {
    expect(new Set(domain.map(areaOfDomain))).toEqual(new Set(floorsOfAreas.flat()));
    const rooms = domain.filter((file) => areaOfDomain(file) === 'cases').map(roomOfCases);
    expect(new Set(rooms)).toEqual(new Set(roomsOfCases));
  });

  test('an area imports those on lower floors, a room those before it', () => {
    const through = imports.filter(([file, target]) => !respectsWalls(file, target));
    expect(through.map(([file, target]) => `${file} imports ${target}`)).toEqual([]);
  });

  test.each([
    ['platform', 'media'],
    ['media', 'platform'],
    ['announce', 'identity'],
    ['intake', 'announce'],
    ['intake', 'cases'],
    ['catalogue', 'identity'],
    ['identity', 'membership'],
    ['identity', 'cases'],
    ['cases', 'answers'],
    ['cases', 'desk'],
    ['answers', 'membership'],
    ['answers', 'delivery'],
    ['membership', 'records'],
    ['desk', 'delivery'],
    ['delivery', 'records'],
    ['records', 'desk'],
    ['cases/record', 'cases/queue'],
    ['cases/photos', 'cases/admission'],
    ['cases/admission', 'cases/queue'],
    ['cases/queue', 'cases/patient'],
  ])('and %s importing %s would be refused', (from, to) => {
    expect(respectsWalls(`src/domain/${from}/noun/a.ts`, `src/domain/${to}/noun/b.ts`)).toBe(false);
  });
});

/** An area is more than one folder: `patient/`, `desk/` and `office/` each have theirs, and what is in none of them. */
const portalFolderOf = (file: string) => /^(?:(?:patient|desk|office)\/(?:\w+\/)?|\w+\/)?/.exec(file)?.[0];

describe('imports, of types too, form no circle', () => {
  const between = importsBetween(allImports, sources);
  const foldersOf = (imports: typeof between, nodeOf: (file: string) => string | undefined): Arrow[] =>
    countArrows(imports, nodeOf).map(({ from, to }) => [from, to]);

  test('of modules, anywhere', () => {
    expect(between.length).toBeGreaterThan(1000);
    expect(findCircles(between.map(({ file, target }): Arrow => [file, target]))).toEqual([]);
  });

  test('of floors: every import in src/ leads to the same floor or a lower one', () => {
    const floors = ['cli', 'main', 'timers', 'functions', 'domain', 'lib', 'contract'];
    const floorOf = (file: string) => /^src\/(\w+)\//.exec(file)?.[1] ?? 'main';
    const upward = between
      .filter(({ file, target }) => file.startsWith('src/') && target.startsWith('src/'))
      .filter(({ file, target }) => floors.indexOf(floorOf(target)) < floors.indexOf(floorOf(file)));
    expect(upward).toEqual([]);
  });

  test('of areas of the domain, and of the rooms of its cases', () => {
    const arrows = foldersOf(between, areaOfDomain);
    expect(arrows).toContainEqual(['desk', 'cases']);
    expect(findCircles(arrows)).toEqual([]);
    const rooms = foldersOf(between, roomOfCases);
    expect(rooms).toContainEqual(['patient', 'admission']);
    expect(findCircles(rooms)).toEqual([]);
  });

  test('of folders of the portal', () => {
    const portal = 'dev/apps/portal/src/';
    const arrows = foldersOf(between, (file) =>
      file.startsWith(portal) ? portalFolderOf(file.slice(portal.length)) : undefined,
    );
    expect(arrows).toContainEqual(['patient/pages/', 'ui/']);
    expect(findCircles(arrows)).toEqual([]);
  });

  test('of apps, packages and tools of the workshop', () => {
    const arrows = foldersOf(
      between.filter(({ file }) => !isTest(file)),
      (file) => (file.startsWith('dev/') ? folderOf(file) : undefined),
    );
    expect(arrows).toContainEqual(['dev/run', 'dev/services']);
    expect(findCircles(arrows)).toEqual([]);
  });

  test('and a circle would be found', () => {
    const arrows: Arrow[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
      ['e', 'e'],
      ['f', 'a'],
    ];
    expect(findCircles(arrows)).toEqual([['b', 'c'], ['e']]);
  });
});

describe('an endpoint is understood from few files besides the machinery', () => {
  const runtime = new Map(
    [...sources].map(([file, source]) => [file, source.replaceAll(/^import type [^;]*;/gm, '')]),
  );
  const runtimeImports = importsBetween(importsOf(runtime), sources);

  /** The file and all that it imports at run time, directly or not. */
  function closureOf(entry: string): string[] {
    const reached = new Set([entry]);
    for (const file of reached) {
      for (const { target } of runtimeImports.filter((found) => found.file === file)) reached.add(target);
    }
    return [...reached];
  }

  /**
   * Content: tables in which a reader looks up one entry, and which say nothing about how the endpoint works. Message
   * files are JSON and no modules.
   */
  const content = [
    // The enumerations of the anamnesis: lists of values.
    'src/domain/intake/anamnesis/vocabulary/',
    // The fields of the anamnesis, section by section.
    'src/domain/intake/anamnesis/form/',
    // The red-flag rules, one entry each as in docs/clinical-rules.md, and the findings that they name.
    'src/domain/intake/red-flags/rules/',
    'src/domain/intake/red-flags/findings/',
  ];
  const machinery = ['src/lib/', 'src/contract/'];

  // Its statements stand in files of their own: two of them.
  test('the diagnosis from at most 21', () => {
    const closure = closureOf('src/functions/diagnosis/create-diagnosis.ts');
    for (const folder of [...content, ...machinery]) {
      expect(closure.filter((file) => file.startsWith(folder))).not.toEqual([]);
    }
    const read = closure.filter(
      (file) => ![...content, ...machinery].some((folder) => file.startsWith(folder)),
    );
    expect(read).toContain('src/domain/intake/red-flags/evaluate-red-flags.ts');
    expect(read.length, read.join('\n')).toBeLessThanOrEqual(21);
  });

  test('the refresh of a session from at most 7, the helpers of its tokens among them', () => {
    const isMachinery = (file: string) =>
      /^src\/(?:lib\/(?:app|concurrency|db|http|telemetry)\/|contract\/)/.test(file);
    const read = closureOf('src/functions/auth/refresh-session.ts').filter((file) => !isMachinery(file));
    expect(read).toContain('src/lib/auth/opaque-token.ts');
    expect(read.length, read.join('\n')).toBeLessThanOrEqual(7);
  });
});

test('a function imports no other function', () => {
  const between = imports.filter(
    ([file, target]) => file.startsWith('src/functions/') && target.startsWith('src/functions/'),
  );
  expect(between).toEqual([]);
});

test('what deploys needs no package that only development has', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const foreign = imports.filter(
    ([file, target]) =>
      /^(?:src|migrations)\//.test(file) &&
      !isOurs(target) &&
      !isBuiltin(target) &&
      target !== 'package.json' && // the version number
      !Object.hasOwn(dependencies, target),
  );
  expect(foreign).toEqual([]);
});

test('only the composition root and the command line read the environment', () => {
  const readers = files.filter(
    (file) =>
      /^(?:src|migrations)\//.test(file) && /process\.env|['"]node:process['"]/.test(sources.get(file) ?? ''),
  );
  const allowed = (file: string) =>
    ['src/main.ts', 'src/endpoints.ts'].includes(file) || file.startsWith('src/cli/');
  expect(readers.filter((file) => !allowed(file))).toEqual([]);
});

describe('SQL has its place', () => {
  /** A statement, or a piece of one. */
  const isSql =
    /\bsql(?:<[^`(]*>)?`|\bsql\.\w+\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom)\(/;
  const mayHoldSql = (file: string) =>
    /^src\/(?:domain\/.+\.queries\.ts$|lib\/(?:db|outbox|idempotency|timers)\/|cli\/)/.test(file);

  test('in domain only *.queries.ts hold statements or import kysely', () => {
    const holding = files.filter((file) => file.startsWith('src/') && isSql.test(sources.get(file) ?? ''));
    expect(holding.length).toBeGreaterThan(20);
    const importing = imports
      .filter(([file, target]) => file.startsWith('src/domain/') && target === 'kysely')
      .map(([file]) => file);
    expect([...new Set([...holding, ...importing])].filter((file) => !mayHoldSql(file))).toEqual([]);
  });

  test('and one elsewhere would be found', () => {
    for (const text of ['sql<Row>`SELECT 1`', "await tx\n  .selectFrom('users')", 'sql.ref(column)']) {
      expect(isSql.test(text)).toBe(true);
    }
    expect(mayHoldSql('src/domain/identity/users/user.queries.ts')).toBe(true);
    expect(mayHoldSql('src/domain/identity/users/change-user.ts')).toBe(false);
    expect(mayHoldSql('src/functions/auth/log-in.ts')).toBe(false);
  });
});

describe('one clock and one way to name a tenant', () => {
  /** The text of every SQL template, without what is put into it. */
  const queriesOf = (source: string) =>
    [...source.matchAll(/\bsql(?:<[^`]*?>)?`((?:\$\{[^}]*\}|[^`])*)`/g)].map(([, text = '']) =>
      text.replaceAll(/\$\{[^}]*\}/g, '?'),
    );
  const queries = files
    .filter((file) => file.startsWith('src/'))
    .flatMap((file) => queriesOf(sources.get(file) ?? '').map((text): [string, string] => [file, text]));
  const asksForTheTime =
    /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_(?:timestamp|date|time)\b|\blocaltime/i;

  test('no query of the app asks the database for the time', () => {
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.filter(([, text]) => asksForTheTime.test(text)).map(([file]) => file)).toEqual([]);
  });

  test('one module names the tenant', () => {
    const naming = queries
      .filter(([, text]) => /set_config\(\s*'app\.tenant'/.test(text))
      .map(([file]) => file);
    expect(new Set(naming)).toEqual(new Set(['src/lib/db/tenant.ts']));
  });

  test('and that would be noticed', () => {
    const source =
      'sql<Date>`now()`; sql`SELECT ${clock.now()}, x FROM y WHERE z <= CURRENT_TIMESTAMP`; sql`SELECT ${now()}`';
    expect(queriesOf(source).map((text) => asksForTheTime.test(text))).toEqual([true, true, false]);
  });
});

describe('the status of a case has one writer', () => {
  const writer = 'src/domain/cases/record/apply-transition.ts';
  const statements = 'src/domain/cases/record/transition.queries.ts';
  /** A statement of ours that makes a case, or sets where it stands. */
  const writesStatus =
    /insertInto\(\s*'request_records'|(?:INSERT INTO|UPDATE) request_records|updateTable\(\s*'request_records'[^;]*?\b(?:pending_)?status\s*[:,]/i;

  test('apply-transition.ts', () => {
    const callers = imports.filter(([, target]) => target === statements).map(([file]) => file);
    expect(callers).toEqual([writer]);
    const writers = files.filter(
      (file) => file.startsWith('src/') && writesStatus.test(sources.get(file) ?? ''),
    );
    // The command that erases a person works as the owner of the tables, and leaves statuses as they are.
    expect(writers).toEqual([statements, 'src/domain/records/erasure/account-cases.queries.ts']);
    expect(sources.get('src/domain/records/erasure/account-cases.queries.ts')).not.toMatch(
      /SET (?:pending_)?status/,
    );
  });

  test('and another would be found', () => {
    expect(writesStatus.test(`tx.updateTable('request_records')\n.set({ status: 'queued' })`)).toBe(true);
    expect(
      writesStatus.test(`tx.updateTable('request_records').set({ read_at: now }).where('uuid', '=', x)`),
    ).toBe(false);
  });
});

test('only main.ts registers functions', () => {
  const registering = files.filter(
    (file) =>
      file.startsWith('src/') &&
      /\b(?:app|functions)\.(?:http|timer|get|post)\(|^import \{[^}]*\bapp\b[^}]*\} from '@azure\/functions'/m.test(
        sources.get(file) ?? '',
      ),
  );
  expect(registering).toEqual(['src/main.ts']);
});

test('no file is a drawer for odds and ends', () => {
  const drawers = files.filter(
    (file) =>
      /^(?:src|dev)\//.test(file) &&
      /(?:^|[-./])(?:utils?|helpers?|managers?|services?|common|misc)(?:[-.]|$)/.test(
        basename(file).replace(/(?:\.test)?\.(?:ts|mjs)$/, ''),
      ) &&
      // Commands and names of the field: the services that a laptop needs, common passwords.
      ![
        'dev/run/services.ts',
        'dev/services/start-services.ts',
        'dev/services/start-services.test.ts',
        'src/lib/auth/common-passwords.ts',
      ].includes(file),
  );
  expect(drawers).toEqual([]);
});

test('there are no barrels', () => {
  // A package has one entrance.
  const barrels = files.filter((file) => /^index\.(?:tsx?|mjs)$/.test(basename(file)));
  expect(barrels).toEqual(['dev/packages/client/src/index.ts']);
  const reexports = [...sources].filter(
    ([file, source]) => file.startsWith('src/') && /^export \* from/m.test(source),
  );
  expect(reexports.map(([file]) => file)).toEqual([]);
});

test('file names are kebab-case and lie below the folders of the architecture', () => {
  const odd = files
    .filter((file) => file.startsWith('src/'))
    .filter((file) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:schemas|queries))?\.ts$/.test(basename(file)));
  expect(odd).toEqual([]);
  const known =
    /^src\/(?:main\.ts|app\.ts|endpoints\.ts|timers\.ts|(?:functions|timers|domain|lib|contract|cli)\/)/;
  expect(files.filter((file) => file.startsWith('src/') && !known.test(file))).toEqual([]);
});

test('no file holds more than fits the eye: 60 lines an endpoint, 120 a use case, 250 anything else that runs', () => {
  // A use case is what an endpoint calls; schemas and queries stand beside it.
  const useCases = new Set(
    imports
      .filter(
        ([file, target]) => file.startsWith('src/functions/') && /^src\/domain\/[^.]+\.ts$/.test(target),
      )
      .map(([, target]) => target),
  );
  const limitOf = (file: string) => {
    if (file.startsWith('src/functions/')) return 60;
    return useCases.has(file) ? 120 : 250;
  };
  const long = [...sources]
    .filter(
      ([file]) =>
        /^(?:src|dev|migrations)\//.test(file) && ![...generated, ...lists].includes(file) && !isTest(file),
    )
    .map(([file, source]) => [file, linesOfCode(source)] as const)
    .filter(([file, lines]) => lines > limitOf(file));
  expect(useCases.size).toBeGreaterThan(20);
  expect(long).toEqual([]);
});

/** As the linter counts: neither blank lines nor comments. */
function linesOfCode(source: string): number {
  const code = source.replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '').split('\n');
  return code.filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}

describe('each word of the contract is spelt once', () => {
  // A generated type repeats what a CHECK of the database lists.
  const inSrc = [...sources].filter(([file]) => file.startsWith('src/') && !generated.includes(file));
  const filesWith = (pattern: RegExp, except: (file: string) => boolean) =>
    inSrc.filter(([file, source]) => !except(file) && pattern.test(source)).map(([file]) => file);
  const isContract = (file: string) => file.startsWith('src/contract/');
  const roles = /'patient'\s*[,|]\s*'physician'|'physician'\s*[,|]\s*'patient'/;
  const languages = /'en'\s*[,|]\s*'(?:he|ar|es)'/;
  const callers =
    /\bsessionUuid\??: string;[^}]*\brole: (?:Role|string);|\brole: (?:Role|string);[^}]*\bsessionUuid\??: string;/;

  test('the roles', () => expect(filesWith(roles, isContract)).toEqual([]));

  test('the languages', () => expect(filesWith(languages, isContract)).toEqual([]));

  test('the actor: id, role and session of an account stand together nowhere else', () => {
    const sessions = ['src/domain/identity/sessions/token-pair.ts'];
    expect(filesWith(callers, (file) => isContract(file) || sessions.includes(file))).toEqual([]);
  });

  test('audit actions: by the endpoint that declares them, the others in contract/audit.ts', () => {
    const declared = inSrc.flatMap(([file, source]) =>
      file.startsWith('src/functions/')
        ? [...source.matchAll(/\baudit: \{[^}]*\}/g)].flatMap(([text]) =>
            [...text.matchAll(/(?:success|refusal): '(\w+)'/g)].map(([, action = '']) => action),
          )
        : [],
    );
    const shared = [...(sources.get('src/contract/audit.ts') ?? '').matchAll(/event\('\w+', '(\w+)'\)/g)].map(
      ([, action = '']) => action,
    );
    expect(declared.length).toBeGreaterThan(20);
    expect(shared.length).toBeGreaterThan(5);
    expect(shared.filter((action) => declared.includes(action))).toEqual([]);
    // A topic of mails and a reason in the table of tokens have the same names.
    const homonyms = ['email_verification_requested', 'session_ended'];
    const actions = [...new Set([...declared, ...shared])].filter((action) => !homonyms.includes(action));
    const spelt = inSrc.flatMap(([file, source]) => {
      const code = source.replaceAll(/\baudit: \{[^}]*\}/g, '');
      return file === 'src/contract/audit.ts'
        ? []
        : actions.filter((action) => code.includes(`'${action}'`)).map((action) => `${file}: ${action}`);
    });
    expect(spelt).toEqual([]);
  });
});

test('a unit test that changes what its process shares has a process of its own', () => {
  const changes =
    /\bsetGlobal\w+\(|\bvi\.(resetModules|mock|doMock|stubEnv)\(|globalRegistry|\bprocess\.chdir\(|^ *process\.env(\.\w+|\[.+?\]) = /m;
  const changing = files.filter(
    (file) => isTest(file) && /(?<!\.db)\.test\.ts$/.test(file) && changes.test(sources.get(file) ?? ''),
  );
  expect(changing.filter((file) => file !== 'test/architecture.test.ts').toSorted()).toEqual(
    OWN_PROCESS.toSorted(),
  );
});

// The requests of the scenarios as `.http` files, one for each tag, for people who send them from an editor.
import { demo, password } from '../../../test/endpoints/people.ts';
import type { NamedScenario } from '../../../test/endpoints/read-scenarios.ts';
import type { Ask, Earlier, Good, Player, Refusal } from '../../../test/endpoints/scenario.ts';
import { problems } from '../../../src/contract/problem.ts';
import { generalRequests } from './general-requests.ts';
import { bodyLines, canBeWritten, oneLine } from './http-body.ts';

/** A request in a file, with the requests that go before it. */
interface Block {
  name: string;
  title: string;
  refs: readonly string[];
  expect: string;
  lines: readonly string[];
}

/** What a request calls other requests by, and what these are called in the file. */
interface Names {
  as: Player;
  names: Map<string, string>;
}

const host = '@host = http://localhost:7071';
const mailed = {
  resetToken: 'dgp',
  invitationToken: 'dgi',
  verificationToken: 'dgv',
} as const;

/** The text of every file by its name. */
export function httpFiles(scenarios: readonly NamedScenario[]): Record<string, string> {
  const byTag = Map.groupBy(scenarios, ({ endpoint }) => endpoint.tag.toLowerCase());
  const files = [...byTag].map(([tag, own]) => [`${tag}.http`, fileOf(own, scenarios)] as const);
  return { ...Object.fromEntries(files), 'general.http': generalRequests };
}

function fileOf(own: readonly NamedScenario[], all: readonly NamedScenario[]): string {
  const writer = createWriter(all);
  for (const scenario of own) {
    for (const [name, good] of Object.entries(scenario.good)) writer.good(scenario, name, good);
    const refusals = Object.entries({ ...scenario.mistakes, ...scenario.refusals });
    for (const [name, refusal] of refusals) writer.refusal(scenario, name, refusal);
  }
  const text = writer.text();
  const tokens = Object.entries(mailed).filter(([token]) => text.includes(`{{${token}}}`));
  const head = [
    '# Generated from test/endpoints: npm run generate',
    host,
    ...(tokens.length === 0
      ? []
      : [
          '# These come by mail: open the inbox, whose address `npm start` prints after "Mails", and copy them from the link',
        ]),
    ...tokens.map(([token, prefix]) => `@${token} = ${prefix}_paste-it-here`),
  ];
  return `${head.join('\n')}\n\n${text}`;
}

function createWriter(all: readonly NamedScenario[]) {
  const blocks = new Map<string, Block>();

  function scenarioOf(operation: string): NamedScenario {
    const found = all.find(({ name }) => name === operation);
    if (found === undefined) throw new Error(`There is no scenario of ${operation}.`);
    return found;
  }

  function logIn(player: Exclude<Player, 'anonymous' | 'newcomer'>): string {
    const lines = [
      'POST {{host}}/api/auth/login',
      'Content-Type: application/json',
      '',
      oneLine(demo[player]),
    ];
    if (!blocks.has(player)) {
      blocks.set(player, {
        name: player,
        title: `Log in as the demo ${player}`,
        refs: [],
        expect: '200',
        lines,
      });
    }
    return player;
  }

  function newcomer(name: string): string {
    const email = `${name.replaceAll('_', '-').toLowerCase()}-{{$timestamp}}@example.org`;
    const json = oneLine({ email, password, role: 'patient' });
    const lines = ['POST {{host}}/api/auth/register', 'Content-Type: application/json', '', json];
    if (!blocks.has(name))
      blocks.set(name, { name, title: 'An account for what follows', refs: [], expect: '201', lines });
    return name;
  }

  /** Of a request written elsewhere, such as "a physician": two of them are for two accounts. */
  const accountOf = (given: string | Earlier, as: Player, name: string) =>
    typeof given === 'string' && as !== 'newcomer' ? `${name}_account` : undefined;

  /** Whether people can send a request: nothing that goes before it needs a database, another app or a file of tests. */
  function isForPeople(ask: Ask & { on?: unknown }): boolean {
    const earlier = Object.values(ask.after ?? {}).map((each) =>
      typeof each === 'string' ? Object.values(scenarioOf(each).good)[0] : each,
    );
    return (
      ask.on === undefined &&
      ask.state === undefined &&
      canBeWritten(ask) &&
      earlier.every((each) => each === undefined || isForPeople(each))
    );
  }

  /** Writes what goes before a request; `account` is what its newcomer is called. */
  function before(
    operation: string,
    ask: Ask,
    as: Player,
    name: string,
    account: string,
    from?: Names,
  ): Names {
    const names = new Map(from?.names);
    const { endpoint } = scenarioOf(operation);
    const isNeeded =
      endpoint.auth !== 'public' || ask.after !== undefined || refersTo(ask, as) || refersToMail(ask);
    if (as === 'newcomer' && isNeeded) names.set(as, names.get(as) ?? newcomer(account));
    else if (as !== 'anonymous' && as !== 'newcomer' && isNeeded) names.set(as, logIn(as));
    for (const [key, given] of Object.entries(ask.after ?? {})) {
      const earlier: Earlier =
        typeof given === 'string'
          ? { ...Object.values(scenarioOf(given).good)[0], as, operation: given }
          : { as, ...given };
      const inner: Names = {
        as: earlier.as ?? as,
        names:
          typeof given === 'string' ? new Map([...names].filter(([each]) => each === 'newcomer')) : names,
      };
      const own = `${name}_${key}`;
      const { reply, summary } = scenarioOf(earlier.operation).endpoint;
      const title =
        typeof given === 'string' ? (Object.values(scenarioOf(given).good)[0]?.title ?? summary) : summary;
      write(
        earlier.operation,
        earlier,
        inner.as,
        {
          name: own,
          title,
          expect: String(reply.status),
          account: accountOf(given, inner.as, own) ?? account,
        },
        inner,
      );
      names.set(key, own);
    }
    return { as, names };
  }

  function write(
    operation: string,
    ask: Ask,
    as: Player,
    { name, title, expect, account }: { name: string; title: string; expect: string; account: string },
    from?: Names,
  ): void {
    const { names } = before(operation, ask, as, name, account, from);
    const text = linesOf(scenarioOf(operation), ask, as, name).map((line) => renamed(line, names));
    const refs = [...names.values()].filter((each) => text.some((line) => line.includes(`{{${each}.`)));
    // Mails are sent for what went before.
    const waits = refersToMail(ask) ? [...names.values()].slice(-1) : [];
    blocks.set(name, { name, title, expect, refs: [...new Set([...refs, ...waits])], lines: text });
  }

  return {
    good(scenario: NamedScenario, key: string, good: Good): void {
      if (!isForPeople(good)) return;
      const name = `${scenario.name}_${key}`;
      const expect = String(good.status ?? scenario.endpoint.reply.status);
      write(scenario.name, good, good.as ?? scenario.as, {
        name,
        title: good.title,
        expect,
        account: `${name}_own_account`,
      });
    },
    refusal(scenario: NamedScenario, key: string, refusal: Refusal): void {
      if (!isForPeople(refusal)) return;
      const { code, title, pointers = [] } = refusal;
      const name = `${scenario.name}_refused_${key}`;
      const expect = [problems[code].status, code, ...pointers.filter((pointer) => pointer !== '')].join(' ');
      write(scenario.name, refusal, refusal.as ?? scenario.as, {
        name,
        title,
        expect,
        account: hasGuest(refusal) ? `${name}_own_account` : `${scenario.name}_shared_account`,
      });
    },
    text: () => [...blocks.values()].map((block) => textOf(block, [...blocks.values()])).join('\n'),
  };
}

/** Whether newcomers come before the request of somebody else: then they are of this request alone. */
const hasGuest = ({ after = {} }: Ask): boolean =>
  Object.values(after).some((each) => typeof each === 'object' && each.as === 'newcomer');

function linesOf({ endpoint }: NamedScenario, ask: Ask, as: Player, name: string): string[] {
  const path = endpoint.route.replaceAll(/\{\*?(\w+)\}/g, (_place, each: string) => ask.params?.[each] ?? '');
  const query = Object.entries(ask.query ?? {}).map(([key, value]) => `${key}=${value}`);
  const headers = Object.entries(ask.headers ?? {}).map(([key, value]) => `${capitalized(key)}: ${value}`);
  return [
    `${endpoint.method} {{host}}/${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ...(endpoint.auth === 'public' || as === 'anonymous'
      ? []
      : [`Authorization: Bearer {{${as}.response.body.access_token}}`]),
    ...headers,
    ...bodyLines(ask),
  ].map((line) =>
    line.replaceAll('-{{$timestamp}}@', `-${name.replaceAll('_', '-').toLowerCase()}-{{$timestamp}}@`),
  );
}

function textOf({ name, title, refs, expect, lines }: Block, all: readonly Block[]): string {
  const isNamed = all.some((each) => each.refs.includes(name));
  return [
    `### ${title}`,
    ...(isNamed ? [`# @name ${name}`] : []),
    ...refs.map((ref) => `# @ref ${ref}`),
    `# expect ${expect}`,
    ...lines,
    '',
  ].join('\n');
}

const renamed = (line: string, names: ReadonlyMap<string, string>) =>
  line.replaceAll(/\{\{(\w+)(?=\.response\.)/g, (found, name: string) =>
    names.has(name) ? `{{${names.get(name)}` : found,
  );

const capitalized = (header: string) => header.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const refersTo = (ask: Ask, name: string) => JSON.stringify(ask).includes(`{{${name}.response`);
const refersToMail = (ask: Ask) =>
  Object.keys(mailed).some((token) => JSON.stringify(ask).includes(`{{${token}}}`));

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterwards } from '../support/cleanup.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type AzureState, runAz } from './fake-az.ts';

const root = join(import.meta.dirname, '..', '..');

export const settings = {
  DERMAGATE_AI_SERVICE_URL: 'https://ai.example.org',
  DERMAGATE_PORTAL_URL: 'https://portal.example.org',
  DERMAGATE_ALERT_EMAILS: 'oncall@example.org',
  DERMAGATE_CLIENT_IP: '203.0.113.7',
  AI_SERVICE_KEY: 'key-of-the-ai-service',
};

const nothingYet: AzureState = {
  version: '2.80.0',
  signedIn: true,
  userType: 'user',
  group: false,
  appProvider: 'NotRegistered',
  deployed: false,
  isolated: false,
  deployments: [],
  history: [],
  postgresRefusals: [],
  postgresStates: [],
  secrets: {},
  secretsCreated: {},
  deletedSecrets: [],
  vaultRefusals: 0,
  references: 'Resolved',
  refreshesNeeded: 1,
  firewall: [],
  storageGB: 32,
  restoredServers: [],
  published: 0,
};

export interface Rehearsal {
  code: number;
  output: string;
  /** Each call of az, npm, psql and curl, as one line. */
  calls: string[];
  /** Of each npm script and of psql: the database it was given, and what psql reads. */
  databases: { script: string; url: string; libpq: string }[];
}

/**
 * A function in every Bash of a rehearsal, because a process for each of the many calls would take long: sends its
 * arguments over one connection to the test, where the fake answers. The commands that read the parameter file also send
 * what is exported to them. One write a call: a second would wait until TCP has acknowledged the first.
 */
const AZ = String.raw`exec 9<>"/dev/tcp/127.0.0.1/$FAKE_AZ_PORT"
az() (
  exported=''
  case "$*" in 'deployment group create '* | 'deployment group what-if '*) exported=$(env -0 | tr '\0' '\36') ;; esac
  printf '%s\0' "$#" "$@" "$exported" $'\4' >&9
  read -r code <&9
  IFS= read -r -d '' message <&9
  IFS= read -r -d '' answer <&9
  printf '%s' "$message" >&2
  printf '%s' "$answer"
  exit "$code"
)`;
const END_OF_CALL = '\0\u0004\0';
const END_OF_VARIABLE = '\u001e';

/** A stage with its own copy of infra/, an Azure that remembers, and commands on the PATH that lead there. */
export async function stage(initial: Partial<AzureState> = {}) {
  const folder = tempFolder();
  const project = join(folder, 'project');
  const bin = join(folder, 'bin');
  const files = { calls: join(folder, 'calls'), databases: join(folder, 'databases') };
  cpSync(join(root, 'infra'), join(project, 'infra'), { recursive: true });
  mkdirSync(bin);
  const azure: AzureState = structuredClone({ ...nothingYet, ...initial });

  let failing: RegExp | undefined;
  const answer = (received: string) => {
    const [count = '0', ...rest] = received.split('\0');
    const args = rest.slice(0, Number(count));
    const exported = (rest[Number(count)] ?? '').split(END_OF_VARIABLE);
    const environment = Object.fromEntries(
      exported.map((variable): [string, string | undefined] => {
        const at = variable.indexOf('=');
        return [variable.slice(0, at), variable.slice(at + 1)];
      }),
    );
    const line = `az ${args.join(' ')}`;
    appendFileSync(files.calls, `${line}\n`);
    const { code, stdout, stderr } = failing?.test(line)
      ? { code: 1, stdout: '', stderr: 'ERROR: (InternalServerError) it did not work.\n' }
      : runAz(azure, args, { folder: project, environment });
    return `${code}\n${stderr}\0${stdout}\0`;
  };
  const server = createServer({ noDelay: true }, (socket) => {
    let received = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!received.endsWith(END_OF_CALL)) return;
      socket.write(answer(received.slice(0, -END_OF_CALL.length)));
      received = '';
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  const command = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  writeFileSync(join(folder, 'az.sh'), AZ);
  const record = (name: string) => `printf '${name} %s\\n' "$*" >>"$FAKE_CALLS"
if [ -n "$FAKE_FAIL" ] && printf '%s' "${name} $*" | grep -Eq "$FAKE_FAIL"; then echo "${name} failed" >&2; exit 1; fi`;
  const recordDatabase = `printf '%s\\t%s\\t%s\\n' "$*" "$DATABASE_URL" "$PGUSER@$PGHOST/$PGDATABASE $PGPASSWORD" >>"$FAKE_DATABASES"`;
  command(
    'psql',
    `${record('psql')}
if [ "$1" = --version ]; then echo "psql (PostgreSQL) $FAKE_PSQL_VERSION"; exit; fi
${recordDatabase}`,
  );
  command(
    'npm',
    `${record('npm')}
${recordDatabase}
case "$*" in
  *package*) mkdir -p dist && echo zip >dist/dermagate.zip ;;
  *portal:build*)
    printf '%s\n' "portal for $GATEWAY_URL, live: $LIVE_URL" >>"$FAKE_CALLS"
    mkdir -p dev/apps/portal/dist && echo '<script src="/assets/index-a_B-9xyz.js">' >dev/apps/portal/dist/index.html ;;
esac`,
  );
  // What it uploads is what the site serves.
  command(
    'npx',
    `${record('npx')}
if [ "$SWA_CLI_DEPLOYMENT_TOKEN" != fake-upload-token ]; then echo 'no token' >&2; exit 1; fi
if [ -z "$FAKE_UPLOADS_NOTHING" ]; then cp dev/apps/portal/dist/index.html site.html; fi`,
  );
  command(
    'curl',
    `${record('curl')}
case "$*" in
  *ipify*) echo 198.51.100.9 ;;
  *azurestaticapps.net/) cat site.html || echo 'Congratulations on your new site!' ;;
  */healthy) echo '{"status":"healthy"}' ;;
  */health) echo '{"status":"healthy","database":"connected"}' ;;
esac`,
  );

  const deploy = (args: string[], environment: Record<string, string | undefined> = {}) =>
    rehearse(['infra/deploy.sh', ...args], '', { ...settings, ...environment });

  /** Runs commands from a document as they stand there; `typed` answers their questions. */
  const paste = (commands: string, typed: string) =>
    rehearse(['--norc', '-euo', 'pipefail', '-c', commands], typed, {
      DERMAGATE_CLIENT_IP: settings.DERMAGATE_CLIENT_IP,
    });

  async function rehearse(
    bashArguments: readonly string[],
    typed: string,
    environment: Record<string, string | undefined>,
  ): Promise<Rehearsal> {
    for (const file of [files.calls, files.databases]) writeFileSync(file, '');
    failing = environment['FAKE_FAIL'] === undefined ? undefined : new RegExp(environment['FAKE_FAIL']);
    const child = spawn('bash', bashArguments, {
      cwd: join(folder, 'project'),
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        HOME: folder,
        PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
        BASH_ENV: join(folder, 'az.sh'),
        FAKE_AZ_PORT: String((server.address() as AddressInfo).port),
        FAKE_CALLS: files.calls,
        FAKE_DATABASES: files.databases,
        FAKE_PSQL_VERSION: '16.4 (Debian 16.4-1.pgdg120+1)',
        DERMAGATE_RETRY_SECONDS: '0',
        ...environment,
      },
    });
    // A script that stops at once reads nothing.
    child.stdin.on('error', () => undefined);
    child.stdin.end(typed);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output, calls: lines(files.calls), databases: readDatabases(files.databases) };
  }

  return { deploy, paste, azure };
}

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const readDatabases = (file: string) =>
  lines(file).map((line) => {
    const [script = '', url = '', libpq = ''] = line.split('\t');
    return { script, url, libpq };
  });

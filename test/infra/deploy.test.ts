import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConfigError, readConfig } from '../../src/lib/configuration/config.ts';
import { vapidKey } from '../../src/lib/push/push-keys.ts';
import { blocksOf } from '../support/documents.ts';
import { server } from './fake-az.ts';
import { stage } from './rehearse.ts';

const root = join(import.meta.dirname, '..', '..');
const go = ['--env', 'dev', '--yes'];
const frontDoorId = '55ce4ed1-4b06-4bf1-b40e-4638452104da';
const publicUrl = 'https://dermagate-abc.z01.azurefd.net';
/** The deployment of everything with the default settings: one run, of which the tests only read what it did. */
const firstDeployment = (() => {
  const run = async () => {
    const { deploy, azure } = await stage();
    return { ...(await deploy(go)), azure };
  };
  let first: ReturnType<typeof run> | undefined;
  return () => (first ??= run());
})();
/** A stage of its own, on which the first deployment has already run. */
const deployed = async () => stage((await firstDeployment()).azure);
/** What changes anything in Azure. */
const changing =
  /az (group create|provider register|deployment group create|keyvault secret set|functionapp)|--method (put|post|delete)/;
/** Positions of the calls that match, in this order. */
const order = (calls: string[], ...patterns: RegExp[]) =>
  patterns.map((pattern) => calls.findIndex((call) => pattern.test(call)));
const ascending = (positions: number[]) =>
  positions.every((position, i) => position > (positions[i - 1] ?? -1));

describe('a first deployment', () => {
  test('reads the state, previews, provisions, creates secrets, migrates before it publishes, and tests the app', async () => {
    const { code, output, calls, azure } = await firstDeployment();
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Done.') });
    const positions = order(
      calls,
      /az account show/,
      /az group create --name rg-dermagate-dev --location westeurope/,
      /az provider register --namespace Microsoft.App/,
      /az deployment group create .*infra\/dev.bicepparam/,
      /az keyvault secret set .*--name secret-key/,
      /configreferences\/appsettings\/refresh/,
      /--method put .*firewallRules/,
      /npm .*db:prepare -- create --database dermagate/,
      /npm .*db:migrate/,
      /npm .*db:prepare -- grant --role id-dermagate-dev-abc123 --object-id 0f0e0d0c/,
      /--method delete .*firewallRules/,
      /npm .*package/,
      /az functionapp deployment source config-zip .*--src dist\/dermagate.zip/,
      /curl .*azurewebsites.net\/healthy$/,
      /curl .*azurewebsites.net\/health$/,
    );
    expect(ascending(positions), `${positions.join()} in\n${calls.join('\n')}`).toBe(true);
    expect(azure).toMatchObject({ group: true, deployed: true, published: 1, firewall: [] });
  });

  describe('as docs/operations.md has it', () => {
    const blockOf = (chapter: string, index = 0) =>
      blocksOf('docs/operations.md').filter(
        (block) => block.chapter === chapter && block.language === 'bash',
      )[index]?.text ?? '';

    test('the block of a trial deploys and creates the first admin; the key that is typed is in no argument and no output', async () => {
      const { paste, azure } = await stage();
      const typed = 'https://ai.example.org\nkey-of-a-trial\nann@example.org\n';
      const { code, output, calls } = await paste(blockOf('Try it on Azure'), typed);
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Done.') });
      expect(azure).toMatchObject({ group: true, deployed: true, published: 1 });
      expect(azure.deployments[0]).toMatchObject({
        DERMAGATE_AI_SERVICE_URL: 'https://ai.example.org',
        DERMAGATE_ALERT_EMAILS: 'ann@example.org',
      });
      expect(azure.secrets['ai-service-key']).toEqual([{ value: 'key-of-a-trial', enabled: true }]);
      const last = calls.findLast((call) => !call.includes('--method get'));
      expect(last).toMatch(/az rest --method delete .*firewallRules/);
      expect(calls.join('\n')).toContain(
        'npm run create-admin -- --email ann@example.org --tenant-name Trial',
      );
      expect(output + calls.join('\n')).not.toContain('key-of-a-trial');
    });

    test('the blocks of a first deployment put what is typed into the vault, and nowhere else', async () => {
      const { paste, azure } = await stage({ isolated: true });
      const file = blockOf('First deployment')
        .replace('EMERGENCY_NUMBER=…', 'EMERGENCY_NUMBER=101')
        .replace('CRISIS_LINE="…"', 'CRISIS_LINE="116 123"')
        .replaceAll('…', '0f0e0d0c-0b0a-4908-8706-050403020100');
      const deployment = blockOf('First deployment', 1).replace('--subscription …', '--subscription clinic');
      const commands = `cat > ../dermagate-prod.env <<'ENV'\n${file}ENV\n${deployment.replace('westeurope', 'westeurope --yes')}`;
      const mail = 'smtps://user:typed-password@mail.example.org:465';
      const { code, output, calls } = await paste(commands, `typed-key\n${mail}\n`);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(azure.secrets['ai-service-key']).toEqual([{ value: 'typed-key', enabled: true }]);
      expect(azure.secrets['mail-url']).toEqual([{ value: mail, enabled: true }]);
      expect(output + calls.join('\n')).not.toMatch(/typed-/);
      expect(azure.deployments.at(-1)).toMatchObject({
        DERMAGATE_EMERGENCY_NUMBER: '101',
        DERMAGATE_CRISIS_LINE: '116 123',
      });
    });
  });

  test('creates every secret once, long and random, each different', async () => {
    const { secrets } = (await firstDeployment()).azure;
    const made = ['secret-key', 'password-pepper', 'field-encryption-key'].map(
      (name) => secrets[name]?.[0]?.value ?? '',
    );
    expect(new Set(made).size).toBe(3);
    for (const value of made) expect(Buffer.from(value, 'base64').length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(made[2] ?? '', 'base64')).toHaveLength(32);
    expect(secrets['ai-service-key']).toEqual([{ value: 'key-of-the-ai-service', enabled: true }]);
    expect(secrets['mail-url']).toBeUndefined();
  });

  test('puts no secret and no token into its output or into the arguments of any command', async () => {
    const { output, calls, azure } = await firstDeployment();
    const values = Object.values(azure.secrets).flatMap((versions) => versions.map(({ value }) => value));
    expect(values).toHaveLength(4);
    for (const value of [...values, 'fake-entra-token']) {
      expect(output).not.toContain(value);
      expect(calls.join('\n')).not.toContain(value);
    }
  });

  test('enters the database as the Entra administrator, with a token as the password and a checked certificate', async () => {
    const { databases } = await firstDeployment();
    const server =
      'postgresql://ana%40example.org:eyJ.fake-entra-token@psql-dermagate-dev-abc123.postgres.database.azure.com:5432';
    expect(databases.filter(({ script }) => script.includes('db:')).map(({ url }) => url)).toEqual([
      `${server}/postgres?sslmode=verify-full`,
      `${server}/dermagate?sslmode=verify-full`,
      `${server}/postgres?sslmode=verify-full`,
    ]);
    expect(databases.at(-1)).toEqual({ script: 'run --silent package', url: '', libpq: '@/ ' });
  });

  test('enters the database also as a group whose name has spaces, letters beyond ASCII and delimiters', async () => {
    const name = `Ärzte & Pflege: "Haut" 100%/ü€𝒳'()*!~`;
    const { deploy } = await stage();
    const { code, databases } = await deploy(go, {
      DERMAGATE_ADMIN_OBJECT_ID: 'cccccccc-1111-4222-8333-944455556666',
      DERMAGATE_ADMIN_NAME: name,
      DERMAGATE_ADMIN_TYPE: 'Group',
    });
    expect(code).toBe(0);
    const { username, password } = new URL(databases.find(({ script }) => script.includes('db:'))?.url ?? '');
    expect([username, password].map(decodeURIComponent)).toEqual([name, 'eyJ.fake-entra-token']);
  });

  test('waits for roles that are not yet effective', async () => {
    const { deploy } = await stage({ vaultRefusals: 5 });
    expect(await deploy(go)).toMatchObject({ code: 0 });
  });

  test('refreshes the secret references until the app can read them: its role may not be effective yet', async () => {
    const { deploy } = await stage({ refreshesNeeded: 4 });
    const { code, calls } = await deploy(go);
    expect(code).toBe(0);
    expect(calls.filter((call) => call.includes('appsettings/refresh'))).toHaveLength(4);
  });

  test('looks up its own address if none is given', async () => {
    const { calls } = await (await stage()).deploy(go, { DERMAGATE_CLIENT_IP: undefined });
    expect(calls.find((call) => call.includes('--method put'))).toContain('"startIpAddress": "198.51.100.9"');
  });

  test('takes the pipeline’s service principal as administrator if none is named', async () => {
    const { deploy, azure } = await stage({ userType: 'servicePrincipal' });
    await deploy(go);
    expect(azure.deployments[0]).toMatchObject({
      DERMAGATE_ADMIN_TYPE: 'ServicePrincipal',
      DERMAGATE_ADMIN_NAME: 'Deployment pipeline',
      DERMAGATE_ADMIN_OBJECT_ID: 'bbbbbbbb-1111-4222-8333-944455556666',
    });
  });

  test('tests the app through Front Door if there is one, and no longer at its own address', async () => {
    const { deploy, azure } = await stage();
    const front = { DERMAGATE_FRONT_DOOR_ID: frontDoorId, DERMAGATE_PUBLIC_URL: publicUrl };
    const { code, calls } = await deploy(go, front);
    expect(code).toBe(0);
    expect(azure.deployments[0]).toMatchObject(front);
    const asked = calls.filter((call) => /^curl .*health/.test(call)).map((call) => call.split(' ').at(-1));
    expect(asked).toEqual(['/healthy', '/health'].map((path) => `${front.DERMAGATE_PUBLIC_URL}${path}`));
  });

  test('changes nothing in the resource group of another environment', async () => {
    const { deploy } = await stage({
      group: true,
      history: [{ name: 'dermagate-prod-20261101090000', provisioningState: 'Failed' }],
    });
    const { code, output, calls } = await deploy(go);
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'The resource group rg-dermagate-dev belongs to another environment (dermagate-prod-20261101090000).',
      ),
    });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('does not open the app to everyone because Front Door was forgotten, but when it is asked to', async () => {
    const { deploy, azure } = await stage();
    const front = { DERMAGATE_FRONT_DOOR_ID: frontDoorId, DERMAGATE_PUBLIC_URL: publicUrl };
    await deploy(go, front);
    const forgotten = await deploy(go);
    expect(forgotten).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        `The app is behind Front Door ${frontDoorId}. Set DERMAGATE_FRONT_DOOR_ID`,
      ),
    });
    expect(forgotten.calls.filter((call) => changing.test(call))).toEqual([]);
    expect(await deploy([...go, '--code-only'])).toMatchObject({ code: 0 });
    expect(await deploy(go, front)).toMatchObject({ code: 0 });
    expect(await deploy(go, { DERMAGATE_FRONT_DOOR_ID: '', DERMAGATE_PUBLIC_URL: '' })).toMatchObject({
      code: 0,
    });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_FRONT_DOOR_ID: '' });
    expect(await deploy(go)).toMatchObject({ code: 0 });
  });

  test('does not move the app to another database because the restored server was forgotten, but when it is named', async () => {
    const { deploy, azure } = await deployed();
    const restored = { DERMAGATE_POSTGRES_SERVER: 'psql-dermagate-restored' };
    expect(await deploy(go, restored)).toMatchObject({ code: 0 });
    for (const forgotten of [{}, { DERMAGATE_POSTGRES_SERVER: '' }]) {
      const { code, output, calls } = await deploy(go, forgotten);
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining(
          'The app uses the PostgreSQL server psql-dermagate-restored. Set DERMAGATE_POSTGRES_SERVER=psql-dermagate-restored, or DERMAGATE_POSTGRES_SERVER=psql-dermagate-dev-abc123 to move',
        ),
      });
      expect(calls.filter((call) => changing.test(call))).toEqual([]);
    }
    expect(await deploy([...go, '--code-only'])).toMatchObject({ code: 0 });
    expect(await deploy(go, restored)).toMatchObject({ code: 0 });
    const back = { DERMAGATE_POSTGRES_SERVER: 'psql-dermagate-dev-abc123' };
    expect(await deploy(go, back)).toMatchObject({ code: 0 });
    expect(await deploy(go)).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_POSTGRES_SERVER: '' });
  });

  test('does not accept any external id because the eligibility service was forgotten, but when it is asked to', async () => {
    const { deploy, azure } = await deployed();
    const service = { DERMAGATE_ELIGIBILITY_SERVICE_URL: 'https://members.example.org' };
    expect(await deploy(go, { ...service, ELIGIBILITY_SERVICE_KEY: 'their key' })).toMatchObject({ code: 0 });
    const forgotten = await deploy(go);
    expect(forgotten).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'The app asks https://members.example.org who may submit cases. Set DERMAGATE_ELIGIBILITY_SERVICE_URL',
      ),
    });
    expect(forgotten.calls.filter((call) => changing.test(call))).toEqual([]);
    expect(await deploy(go, service)).toMatchObject({ code: 0 });
    expect(await deploy(go, { DERMAGATE_ELIGIBILITY_SERVICE_URL: '' })).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_ELIGIBILITY_SERVICE_URL: '' });
    expect(await deploy(go)).toMatchObject({ code: 0 });
  });

  test('does not show patients the numbers of another country because theirs were forgotten, but when it is asked to', async () => {
    const { deploy, azure } = await deployed();
    const numbers = { DERMAGATE_EMERGENCY_NUMBER: '101', DERMAGATE_CRISIS_LINE: '1201' };
    expect(await deploy(go, numbers)).toMatchObject({ code: 0 });
    for (const [forgotten, message] of [
      [
        { ...numbers, DERMAGATE_EMERGENCY_NUMBER: undefined },
        'the emergency number 101. Set DERMAGATE_EMERG',
      ],
      [{ ...numbers, DERMAGATE_EMERGENCY_NUMBER: '' }, 'the emergency number 101. Set DERMAGATE_EMERG'],
      [
        { ...numbers, DERMAGATE_CRISIS_LINE: undefined },
        'the crisis line 1201. Set DERMAGATE_CRISIS_LINE, or',
      ],
    ] as const) {
      const { code, output, calls } = await deploy(go, forgotten);
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(message) });
      expect(calls.filter((call) => changing.test(call))).toEqual([]);
    }
    expect(await deploy(go, numbers)).toMatchObject({ code: 0 });
    const others = { DERMAGATE_EMERGENCY_NUMBER: '112', DERMAGATE_CRISIS_LINE: '' };
    expect(await deploy(go, others)).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject(others);
    expect(await deploy(go)).toMatchObject({ code: 0 });
  });

  test('an empty value of a setting with a default counts as not set: a parameter file reads no number from it', async () => {
    const { deploy, azure } = await deployed();
    const empty = {
      DERMAGATE_EMERGENCY_NUMBER: '',
      DERMAGATE_FCM: '',
      DERMAGATE_PORTAL_LOCATION: '',
      DERMAGATE_MONTHLY_BUDGET: '',
    };
    expect(await deploy(go, empty)).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({
      DERMAGATE_EMERGENCY_NUMBER: '112',
      DERMAGATE_FCM: 'false',
      DERMAGATE_PORTAL_LOCATION: 'westeurope',
      DERMAGATE_MONTHLY_BUDGET: '150',
    });
  });

  test('makes the key of Web Push as the app reads it, and takes the service account for phones', async () => {
    const { deploy, azure } = await stage();
    const { code } = await deploy(go, {
      DERMAGATE_VAPID_SUBJECT: 'mailto:push@example.org',
      DERMAGATE_FCM: 'true',
      FCM_SERVICE_ACCOUNT: '{}',
    });
    expect(code).toBe(0);
    const [made] = azure.secrets['vapid-private-key'] ?? [];
    expect(vapidKey.safeParse(made?.value).success).toBe(true);
    expect(azure.secrets['fcm-service-account']).toEqual([{ value: '{}', enabled: true }]);
  });

  test('leaves the firewall alone if the server is isolated in a network', async () => {
    const { deploy } = await stage({ isolated: true });
    const { code, calls } = await deploy(go);
    expect(code).toBe(0);
    expect(calls.filter((call) => call.includes('firewallRules'))).toEqual([]);
  });
});

describe('a second deployment', () => {
  test('breaks nothing: no secret is replaced, nothing is created again, grown storage stays', async () => {
    const { deploy, azure } = await deployed();
    const secrets = structuredClone(azure.secrets);
    azure.storageGB = 64;
    const { code, calls } = await deploy(go, { AI_SERVICE_KEY: undefined });
    expect(code).toBe(0);
    expect(azure.secrets).toEqual(secrets);
    expect(calls.some((call) => /group create --name|provider register|secret set /.test(call))).toBe(false);
    expect(ascending(order(calls, /deployment group what-if/, /deployment group create/))).toBe(true);
    expect(azure.deployments[1]).toMatchObject({
      DERMAGATE_POSTGRES_STORAGE_GB: '64',
      DERMAGATE_BUDGET_START: '2026-09-01',
    });
  });

  test('stores given secrets before it provisions the settings that refer to them: the app is live meanwhile', async () => {
    const { deploy, azure } = await deployed();
    const mail = { DERMAGATE_MAIL_FROM: 'a@example.org', MAIL_URL: 'smtps://mail.example.org' };
    const { code, calls } = await deploy(go, mail);
    expect(code).toBe(0);
    expect(azure.secrets['mail-url']).toHaveLength(1);
    expect(
      ascending(order(calls, /secret set .*mail-url/, /deployment group create/, /appsettings\/refresh/)),
    ).toBe(true);

    const outside = await deploy(go, { ...mail, FAKE_FAIL: 'keyvault secret list' });
    expect(outside.output).toContain('Stopped at: Store given secrets.');
    expect(outside.calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('makes the key of Web Push before the setting that uses it, also where the database was restored long ago', async () => {
    const { deploy, azure } = await deployed();
    const restored = { DERMAGATE_POSTGRES_SERVER: 'psql-dermagate-restored' };
    await deploy(go, restored);
    const { code, calls } = await deploy(go, {
      ...restored,
      DERMAGATE_VAPID_SUBJECT: 'mailto:push@example.org',
      AI_SERVICE_KEY: undefined,
    });
    expect(code).toBe(0);
    expect(azure.secrets['vapid-private-key']).toHaveLength(1);
    expect(ascending(order(calls, /secret set .*vapid-private-key/, /deployment group create/))).toBe(true);
  });

  test.each([
    ['a new eligibility service', { DERMAGATE_ELIGIBILITY_SERVICE_URL: 'https://members.example.org' }],
    ['a first sender of mails', { DERMAGATE_MAIL_FROM: 'a@example.org' }],
    ['push messages for phones', { DERMAGATE_FCM: 'true' }],
  ])('%s without its secret changes nothing: the live app would not start', async (_, setting) => {
    const { deploy, azure } = await deployed();
    const before = structuredClone(azure);
    const { code, output, calls } = await deploy(go, setting);
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The Key Vault has no [\w-]+: set \w+ in the environment once\./),
    });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
    expect(azure).toEqual(before);
  });

  test('a key of Web Push that is disabled stops the deployment before it changes the app', async () => {
    const { deploy, azure } = await deployed();
    azure.secrets['vapid-private-key'] = [{ value: 'old', enabled: false }];
    const { code, output, calls } = await deploy(go, {
      DERMAGATE_VAPID_SUBJECT: 'mailto:push@example.org',
      AI_SERVICE_KEY: 'another',
    });
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('--name vapid-private-key --enabled true'),
    });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('provisions first if the previous deployment stopped halfway: its vault may not grant access yet', async () => {
    const { deploy } = await stage({ postgresRefusals: ['AnotherError'] });
    expect(await deploy(go)).toMatchObject({ code: 1 });
    const { calls, output } = await deploy(go, { FAKE_FAIL: 'keyvault secret list' });
    expect(calls.some((call) => call.includes('deployment group create'))).toBe(true);
    expect(output).toContain('Stopped at: Secrets.');
  });

  test('stores a given key only if it differs', async () => {
    const { deploy, azure } = await deployed();
    await deploy(go);
    expect(azure.secrets['ai-service-key']).toHaveLength(1);
    await deploy(go, { AI_SERVICE_KEY: 'another' });
    expect(azure.secrets['ai-service-key']?.map(({ value }) => value)).toEqual([
      'key-of-the-ai-service',
      'another',
    ]);
  });
});

describe('when a step fails, the script stops, reports what was done and how to continue, and can be repeated', () => {
  test.each([
    ['az account show', 'Check sign-in', ['Check tools'], /az group/],
    ['az ad signed-in-user show', 'Find the administrator', ['Check settings'], /az group/],
    ['az group exists', 'Read the current state', ['Find the administrator'], /group create/],
    ['az group create', 'Provision', ['Preview the changes'], /group create .*--parameters/],
    ['az provider register', 'Provision', ['Preview the changes'], /group create .*--parameters/],
    ['az deployment group create', 'Provision', ['Preview the changes'], /keyvault secret/],
    ['az deployment group show', 'Read the outputs', ['Provision'], /keyvault secret/],
    ['az keyvault secret list', 'Secrets', ['Provision'], /firewallRules/],
    ['az keyvault secret set .*password-pepper', 'Secrets', ['Provision'], /firewallRules/],
    ['appsettings/refresh', 'Secrets', ['Provision'], /firewallRules/],
    ['method put', 'Database', ['Secrets'], /npm .*db:/],
    ['az account get-access-token', 'Database', ['Secrets'], /npm .*db:/],
    ['npm .*prepare -- create', 'Database', ['Secrets'], /db:migrate/],
    ['npm .*migrate', 'Database', ['Secrets'], /grant/],
    ['npm .*prepare -- grant', 'Database', ['Secrets'], /package/],
    ['npm .*package', 'Package', ['Database'], /config-zip/],
    ['az functionapp', 'Publish', ['Database', 'Package'], /healthy/],
    ['curl .*/healthy$', 'Smoke test', ['Package', 'Publish'], /health$/],
    ['curl .*/health$', 'Smoke test', ['Package', 'Publish'], /never/],
  ])('%s', async (failing, step, done, later) => {
    const { deploy, azure } = await stage();
    const failed = await deploy(go, { FAKE_FAIL: failing });
    expect(failed.code).not.toBe(0);
    expect(failed.output).toContain(`Stopped at: ${step}.`);
    for (const name of done) expect(failed.output).toContain(`done: ${name}\n`);
    expect(failed.output).toMatch(/How to continue: \w/);
    expect(failed.output).not.toContain('Done.');
    expect(failed.calls.filter((call) => later.test(call) && !new RegExp(failing).test(call))).toEqual([]);
    expect(azure.firewall).toEqual([]);

    const secrets = structuredClone(azure.secrets);
    expect(await deploy(go)).toMatchObject({ code: 0 });
    expect(azure.secrets).toMatchObject(secrets);
  });

  test('servers that cannot be listed: their storage would be asked to shrink', async () => {
    const { deploy, azure } = await deployed();
    azure.storageGB = 256;
    const { code, output, calls } = await deploy(go, { FAKE_FAIL: 'resource list .*flexibleServers' });
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('Stopped at: Read the current state.'),
    });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('a what-if that Azure refuses', async () => {
    const { deploy } = await stage({ group: true });
    const { code, output, calls } = await deploy(go, { FAKE_FAIL: 'what-if' });
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('Stopped at: Preview the changes.'),
    });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('PostgreSQL that is busy with its own deployment: what it refused is repeated once it is ready', async () => {
    const busy = ['AadAuthOperationCannotBePerformedWhenServerIsNotAccessible', 'ServerIsBusy'];
    const { deploy } = await stage({
      postgresRefusals: busy,
      postgresStates: ['Updating', 'Updating', 'Ready', 'Updating'],
    });
    const { code, output, calls } = await deploy(go);
    expect(code).toBe(0);
    for (const error of busy) expect(output).toContain(`PostgreSQL was busy (${error})`);
    const provisioning = calls.filter((call) => /az (deployment group create|resource show)/.test(call));
    expect(provisioning.map((call) => call.split(' ')[2]).join(' ')).toBe(
      'group show show show group show show group',
    );
  });

  test.each([
    ['the default server', {}, ['psql-dermagate-dev-abc123-restored']],
    [
      'a restored server',
      { DERMAGATE_POSTGRES_SERVER: 'psql-dermagate-restored' },
      ['psql-dermagate-restored', 'psql-dermagate-restored-2'],
    ],
  ])('of several servers, %s is the one that has to be ready', async (_, named, restoredServers) => {
    const { deploy, azure } = await deployed();
    azure.restoredServers = restoredServers;
    azure.postgresRefusals = ['ServerIsBusy'];
    const { code, calls } = await deploy(go, named);
    expect(code).toBe(0);
    const shown = calls.filter((call) => call.includes('resource show') && call.includes('properties.state'));
    const name = 'DERMAGATE_POSTGRES_SERVER' in named ? restoredServers[0] : 'psql-dermagate-dev-abc123';
    expect(shown.map((call) => / --ids (\S+) /.exec(call)?.[1]?.split('/').at(-1))).toEqual([name]);
  });

  test('PostgreSQL that stays busy, and any other error of a deployment, are not repeated for ever', async () => {
    const { deploy, azure } = await stage({ postgresRefusals: Array(3).fill('ServerIsBusy') as string[] });
    const { code, output } = await deploy(go);
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('PostgreSQL was busy in each attempt: ServerIsBusy'),
    });
    expect(azure.deployments).toEqual([]);
    const other = await deploy(go, { FAKE_FAIL: 'az deployment group create' });
    expect(other.output).toContain('(InternalServerError)');
    expect(other.calls.filter((call) => call.includes('deployment group create'))).toHaveLength(1);
  });

  test('a firewall rule that cannot be removed is named, with the command that removes it', async () => {
    const { output } = await (await stage()).deploy(go, { FAKE_FAIL: 'method delete' });
    expect(output).toMatch(
      /could not be removed\. Remove it: az rest --method delete --uri "\/subscriptions\/.*firewallRules\/deploy-/,
    );
  });

  test('a secret that the app cannot read: its reference would reach the app as text', async () => {
    const { output, calls } = await (await stage({ references: 'AccessToKeyVaultDenied' })).deploy(go);
    expect(output).toContain('The app cannot read these secrets: SECRET_KEY');
    expect(calls.some((call) => call.includes('config-zip'))).toBe(false);
  });
});

describe('a secret without which data is lost is never replaced', () => {
  const irreplaceable = [
    ['password-pepper', 'PASSWORD_PEPPER'],
    ['field-encryption-key', 'FIELD_ENCRYPTION_KEY'],
  ];
  const restored = { DERMAGATE_POSTGRES_SERVER: 'psql-dermagate-restored' };
  const given = { PASSWORD_PEPPER: 'the old pepper', FIELD_ENCRYPTION_KEY: 'the old key' };

  test.each(irreplaceable)(
    '%s of a restored database is required, and then stored',
    async (name, variable) => {
      const { deploy, azure } = await stage();
      const { code, output } = await deploy(go, { ...restored, ...given, [variable]: undefined });
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining(
          `kv-dev-abc123 has no ${name}, which the restored database needs. Restore it from its backup, or set ${variable}`,
        ),
      });
      expect(azure.secrets[name] ?? []).toEqual([]);
      expect(await deploy(go, { ...restored, ...given })).toMatchObject({ code: 0 });
      expect(azure.secrets['password-pepper']).toEqual([{ value: 'the old pepper', enabled: true }]);
      expect(azure.secrets['field-encryption-key']).toEqual([{ value: 'the old key', enabled: true }]);
    },
  );

  test('values in the vault stay, whatever the environment contains', async () => {
    const { deploy, azure } = await deployed();
    const secrets = structuredClone(azure.secrets);
    expect(await deploy(go, { ...restored, ...given })).toMatchObject({ code: 0 });
    expect(azure.secrets).toEqual(secrets);
  });

  test.each(['secret-key', 'password-pepper', 'field-encryption-key'])(
    '%s that is disabled or deleted is named, with the command that restores it',
    async (name) => {
      const { deploy, azure } = await deployed();
      azure.secrets[name] = [{ value: 'old', enabled: false }];
      const off = await deploy(go, given);
      expect(off.output).toContain(`set-attributes --vault-name kv-dev-abc123 --name ${name} --enabled true`);
      expect(azure.secrets[name]).toHaveLength(1);

      delete azure.secrets[name];
      azure.deletedSecrets = [name];
      const deleted = await deploy(go, given);
      expect(deleted.output).toContain(
        `az keyvault secret recover --vault-name kv-dev-abc123 --name ${name}`,
      );
      for (const { code, calls } of [off, deleted]) {
        expect(code).toBe(1);
        expect(calls.some((call) => /firewallRules|secret set /.test(call))).toBe(false);
      }
    },
  );
});

const refusedOrigins = [
  '*',
  'http://portal.example.org',
  'http://localhost.example.org',
  'http://127.0.0.1.example.org',
  'HTTPS://portal.example.org',
  'https://portal.example.org/',
  'https://portal.example.org:443',
  'http://localhost:80',
  'https://bücher.example',
  'portal.example.org',
  'https://a.example https://b.example',
  'https://a.example\nhttp://b.example',
];

const frontDoors: [Record<string, string>, string][] = [
  [{ DERMAGATE_FRONT_DOOR_ID: frontDoorId }, 'DERMAGATE_FRONT_DOOR_ID needs DERMAGATE_PUBLIC_URL'],
  ...['front-door', `${frontDoorId}0`, `{${frontDoorId}}`, '00000000-0000-0000-0000-000000000000'].map(
    (id): [Record<string, string>, string] => [
      { DERMAGATE_FRONT_DOOR_ID: id, DERMAGATE_PUBLIC_URL: publicUrl },
      'DERMAGATE_FRONT_DOOR_ID must be a GUID',
    ],
  ),
  ...['http://x.azurefd.net', `${publicUrl}/`, `${publicUrl}/api`, 'x.azurefd.net'].map(
    (url): [Record<string, string>, string] => [
      { DERMAGATE_FRONT_DOOR_ID: frontDoorId, DERMAGATE_PUBLIC_URL: url },
      'DERMAGATE_PUBLIC_URL must be an https address without a path',
    ],
  ),
];

describe('invalid or missing arguments are refused before anything changes', () => {
  test.each([
    [[], 'Choose an environment'],
    [['--env', 'staging'], 'Unknown environment staging'],
    [['--env'], '--env needs a value'],
    [['--env', 'dev', '--location'], '--location needs a value'],
    [['--resource-group', '--env', 'dev'], '--resource-group needs a value'],
    [['--env', 'dev', '--frobnicate'], 'Unknown option: --frobnicate'],
    [['--env', 'dev', '--rotate', 'password-pepper'], 'password-pepper cannot be rotated'],
    [['--env', 'dev', '--rotate', 'secret-key', '--code-only'], 'need a full deployment'],
    [['--env', 'dev', '--exec'], '--exec needs a command'],
    [['--env', 'dev', '--env', 'prod'], '--env is given twice'],
    [['--env', 'dev', '--what-if', '--code-only', '--yes'], '--what-if and --code-only exclude each other'],
    [['--env', 'dev', '--code-only', '--what-if'], '--code-only and --what-if exclude each other'],
    [['--env', 'dev', '--what-if', '--exec', 'psql'], '--what-if and --exec exclude each other'],
  ])('%j', async (args, message) => {
    const { code, output, calls } = await (await stage()).deploy(args);
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(output).toContain(message);
    expect(output).toMatch(/^.*\nSee infra\/deploy\.sh --help\n$/);
  });

  test('every missing setting is named at once; production requires an administrator and a sender', async () => {
    const gone = { DERMAGATE_AI_SERVICE_URL: undefined, DERMAGATE_ALERT_EMAILS: undefined };
    const { output, calls } = await (await stage()).deploy(['--env', 'prod', '--yes'], gone);
    expect(output).toContain(
      'Not set: DERMAGATE_AI_SERVICE_URL DERMAGATE_ALERT_EMAILS DERMAGATE_MAIL_FROM DERMAGATE_ADMIN_OBJECT_ID DERMAGATE_ADMIN_NAME DERMAGATE_ADMIN_TYPE',
    );
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test.each([
    ['an old CLI', { version: '2.45.0' }, {}, 'az upgrade'],
    ['nobody signed in', { signedIn: false }, {}, 'You are not signed in'],
    [
      'a portal without https',
      {},
      { DERMAGATE_PORTAL_URL: 'http://portal.example.org' },
      'must be an https address',
    ],
    [
      'an emergency number that cannot be dialled',
      {},
      { DERMAGATE_EMERGENCY_NUMBER: 'call 112' },
      'DERMAGATE_EMERGENCY_NUMBER must be a telephone number',
    ],
    [
      'a budget that is no number',
      {},
      { DERMAGATE_MONTHLY_BUDGET: '1.500' },
      'DERMAGATE_MONTHLY_BUDGET must be',
    ],
    [
      'half a crisis line',
      {},
      { DERMAGATE_CRISIS_LINE: '116-' },
      'DERMAGATE_CRISIS_LINE must be a telephone',
    ],
    ...[
      'http://ai.example.org',
      'HTTP://ai.example.org',
      'https://',
      'https://key@ai.example.org',
      'https://ai.example.org?key=1',
      'ai',
    ].map((DERMAGATE_AI_SERVICE_URL): [string, object, Record<string, string>, string] => [
      `an AI service at ${DERMAGATE_AI_SERVICE_URL}`,
      {},
      { DERMAGATE_AI_SERVICE_URL },
      'DERMAGATE_AI_SERVICE_URL must be an https address',
    ]),
    ...refusedOrigins.map((origin): [string, object, Record<string, string>, string] => [
      `the origin ${origin}`,
      {},
      { DERMAGATE_CORS_ORIGINS: `https://portal.example.org,${origin}` },
      'DERMAGATE_CORS_ORIGINS must be exact https origins',
    ]),
    ...['https://mail.example.org', 'smtp://', 'mail.example.org:25', 'smtps://mail.example.org/inbox'].map(
      (MAIL_URL): [string, object, Record<string, string>, string] => [
        `the mail server ${MAIL_URL}`,
        {},
        { DERMAGATE_MAIL_FROM: 'a@example.org', MAIL_URL },
        'MAIL_URL must be an address such as smtps://user:password@host:465',
      ],
    ),
    ...['example.org', 'Clinic <a@example.org>', 'a@example.org,b@example.org'].map(
      (DERMAGATE_MAIL_FROM): [string, object, Record<string, string>, string] => [
        `the sender ${DERMAGATE_MAIL_FROM}`,
        {},
        { DERMAGATE_MAIL_FROM },
        'DERMAGATE_MAIL_FROM must be one bare address',
      ],
    ),
    ...frontDoors.map(([environment, message]): [string, object, Record<string, string>, string] => [
      `Front Door as ${JSON.stringify(environment)}`,
      {},
      environment,
      message,
    ]),
    [
      'an AI service without its key',
      {},
      { AI_SERVICE_KEY: undefined },
      'set AI_SERVICE_KEY in the environment once',
    ],
    [
      'an eligibility service over http',
      {},
      { DERMAGATE_ELIGIBILITY_SERVICE_URL: 'http://members.example.org' },
      'DERMAGATE_ELIGIBILITY_SERVICE_URL must be an https address',
    ],
    [
      'an eligibility service without its key',
      {},
      { DERMAGATE_ELIGIBILITY_SERVICE_URL: 'https://members.example.org' },
      'set ELIGIBILITY_SERVICE_KEY in the environment once',
    ],
    [
      'push messages for phones without the service account',
      {},
      { DERMAGATE_FCM: 'true' },
      'set FCM_SERVICE_ACCOUNT in the environment once',
    ],
    [
      'push messages for phones, perhaps',
      {},
      { DERMAGATE_FCM: 'yes' },
      'DERMAGATE_FCM must be true or false',
    ],
    [
      'a plan of the portal’s site that there is not',
      {},
      { DERMAGATE_PORTAL_SKU: 'Premium' },
      'DERMAGATE_PORTAL_SKU must be Free or Standard',
    ],
    [
      'a region without Static Web Apps',
      {},
      { DERMAGATE_PORTAL_LOCATION: 'northeurope' },
      'DERMAGATE_PORTAL_LOCATION must be',
    ],
    [
      'no address of a portal, and no site',
      {},
      { DERMAGATE_PORTAL_URL: undefined },
      'Not set: DERMAGATE_PORTAL_URL',
    ],
    [
      'a size of Web PubSub that there is not',
      {},
      { DERMAGATE_WEB_PUBSUB: 'Premium_P9' },
      'DERMAGATE_WEB_PUBSUB must be Free_F1 or Standard_S1',
    ],
    [
      'a recipient of alerts that is no address',
      {},
      { DERMAGATE_ALERT_EMAILS: 'oncall' },
      'DERMAGATE_ALERT_EMAILS must be addresses such as oncall@example.org',
    ],
    [
      'recipients of alerts with a space between them',
      {},
      { DERMAGATE_ALERT_EMAILS: 'a@example.org, b@example.org' },
      'DERMAGATE_ALERT_EMAILS must be addresses such as oncall@example.org',
    ],
    [
      'a recipient of alerts that is empty',
      {},
      { DERMAGATE_ALERT_EMAILS: 'a@example.org,' },
      'DERMAGATE_ALERT_EMAILS must be addresses such as oncall@example.org',
    ],
    [
      'a contact for push services that is none',
      {},
      { DERMAGATE_VAPID_SUBJECT: 'push@example.org' },
      'DERMAGATE_VAPID_SUBJECT must be a mailto: or https: address',
    ],
    [
      'a mail sender without a server',
      {},
      { DERMAGATE_MAIL_FROM: 'a@example.org' },
      'set MAIL_URL in the environment once',
    ],
  ])('%s', async (_, state, environment, message) => {
    const { code, output } = await (await stage(state)).deploy(go, environment);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(message) });
  });

  test('a secret that the environment gives is checked by the code of the app before anything changes', async () => {
    const { deploy, azure } = await deployed();
    const before = structuredClone(azure.secrets);
    const given = { AI_SERVICE_KEY: '', FCM_SERVICE_ACCOUNT: '<html>', DERMAGATE_FCM: 'true' };
    const refused = await deploy(go, { ...given, FAKE_FAIL: 'check-settings' });
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'A setting, or a secret that the environment gives, has what the app does not accept',
      ),
    });
    expect(refused.calls.filter((call) => changing.test(call))).toEqual([]);
    expect(azure.secrets).toEqual(before);
  });

  test('every deployment checks its settings by the code of the app before anything changes', async () => {
    const { deploy } = await deployed();
    const given = { AI_SERVICE_KEY: '', DERMAGATE_AI_SERVICE_URL: 'https://ai.example.org:99999' };
    const refused = await deploy(go, { ...given, FAKE_FAIL: 'check-settings' });
    expect(refused.code).toBe(1);
    expect(refused.calls.filter((call) => changing.test(call))).toEqual([]);
  });

  test('further settings are checked by the code of the app, and reach the parameter file as JSON', async () => {
    const { deploy, azure } = await stage();
    const further = { DERMAGATE_SETTINGS: '{"REQUIRE_VERIFIED_EMAIL": "true"}' };
    const refused = await deploy(go, { ...further, FAKE_FAIL: 'check-settings' });
    expect(refused.output).toContain('A setting, or a secret that the environment gives, has what');
    expect(refused.calls.filter((call) => changing.test(call))).toEqual([]);
    expect(await deploy(go, further)).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject(further);
    const forgotten = await deploy(go);
    expect(forgotten).toMatchObject({
      code: 1,
      output: expect.stringContaining('The app has further settings: REQUIRE_VERIFIED_EMAIL.'),
    });
    expect(forgotten.calls.filter((call) => changing.test(call))).toEqual([]);
    expect(await deploy(go, { DERMAGATE_SETTINGS: '' })).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_SETTINGS: '{}' });
    expect(await deploy(go)).toMatchObject({ code: 0 });
  });

  test('it accepts exactly the origins that the app accepts', async () => {
    const origins =
      'https://portal.example.org, https://xn--bcher-kva.example:8443,http://localhost:5173,http://127.0.0.1:5173,http://[::1]:5173,https://[2001:db8::7]';
    const { deploy, azure } = await stage();
    expect(await deploy(go, { DERMAGATE_CORS_ORIGINS: origins })).toMatchObject({ code: 0 });
    expect(azure.deployments[0]).toMatchObject({ DERMAGATE_CORS_ORIGINS: origins });
    const problems = (CORS_ORIGINS: string) => {
      try {
        readConfig({ CORS_ORIGINS });
      } catch (error) {
        return (error as ConfigError).problems.filter(({ key }) => key === 'CORS_ORIGINS');
      }
      return undefined;
    };
    expect(problems(origins)).toEqual([]);
    for (const origin of refusedOrigins) expect([origin, problems(origin)?.length]).toEqual([origin, 1]);
  });

  test('without a terminal to confirm on, the script refuses', async () => {
    const { code, output, calls } = await (await stage()).deploy(['--env', 'dev']);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('add --yes') });
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
  });
});

describe('--with-portal', () => {
  const site = 'https://calm-sea-01.azurestaticapps.net';
  const withPortal = [...go, '--with-portal'];
  const noAddress = { DERMAGATE_PORTAL_URL: undefined };

  test('creates a site, builds the portal for the app, uploads it last, and sees it served', async () => {
    const { deploy, azure } = await stage();
    const { code, output, calls } = await deploy(withPortal, {
      ...noAddress,
      DERMAGATE_WEB_PUBSUB: 'Free_F1',
    });
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${site} serves the portal`),
    });
    expect(azure.deployments[0]).toMatchObject({ DERMAGATE_PORTAL_SKU: 'Free', DERMAGATE_PORTAL_URL: '' });
    expect(
      ascending(
        order(
          calls,
          /deployment group create/,
          /config-zip/,
          /curl .*\/health$/,
          /^portal for https:\/\/func-dermagate-dev-abc123\.azurewebsites\.net, live: https:\/\/wps-.*webpubsub/,
          /az staticwebapp secrets list .*--name stapp-dev-abc123/,
          /npx --yes @azure\/static-web-apps-cli@\d+\.\d+\.\d+ deploy dev\/apps\/portal\/dist --env production/,
          /curl .*azurestaticapps\.net\/$/,
        ),
      ),
      calls.join('\n'),
    ).toBe(true);
    expect(output + calls.join('\n')).not.toContain('fake-upload-token');
  });

  test('the site stays in later deployments without the option, until its plan is set to nothing', async () => {
    const { deploy, azure } = await stage();
    await deploy(withPortal, noAddress);
    const later = await deploy(go, noAddress);
    expect(later).toMatchObject({ code: 0 });
    expect(later.calls.some((call) => /portal:build|npx/.test(call))).toBe(false);
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_PORTAL_SKU: 'Free' });
    expect(await deploy(go, { DERMAGATE_PORTAL_SKU: '' })).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_PORTAL_SKU: '' });
  });

  test('with --code-only it uploads to the site that there is, and refuses where there is none', async () => {
    const { deploy } = await stage();
    await deploy(go);
    const without = await deploy([...withPortal, '--code-only']);
    expect(without).toMatchObject({ code: 1, output: expect.stringContaining('There is no site') });
    await deploy(withPortal);
    const { code, calls } = await deploy([...withPortal, '--code-only']);
    expect(code).toBe(0);
    expect(calls).toContain('portal for https://func-dermagate-dev-abc123.azurewebsites.net, live: ');
    expect(calls.some((call) => call.includes('deployment group create'))).toBe(false);
  });

  test('an upload that reports success and does nothing is a failure; the command to repeat it is printed', async () => {
    const { deploy } = await stage();
    const { code, output } = await deploy(withPortal, { FAKE_UPLOADS_NOTHING: 'yes' });
    expect(code).toBe(1);
    expect(output).toContain(`${site} does not serve this build.`);
    expect(output).toContain('infra/deploy.sh --env dev --code-only --with-portal');
  });
});

describe('options', () => {
  test.each([[{}], [{ group: true }]])('--what-if changes nothing: %j', async (state) => {
    const { deploy, azure } = await stage(state);
    const before = structuredClone(azure);
    const { code, calls } = await deploy(['--env', 'dev', '--what-if']);
    expect(code).toBe(0);
    expect(calls.filter((call) => changing.test(call))).toEqual([]);
    expect(azure).toEqual(before);
  });

  test('--code-only leaves the infrastructure as it is, but migrates before it publishes', async () => {
    const { deploy } = await deployed();
    const { code, calls } = await deploy([...go, '--code-only']);
    expect(code).toBe(0);
    expect(calls.some((call) => /deployment group (create|what-if)|keyvault/.test(call))).toBe(false);
    expect(ascending(order(calls, /db:migrate/, /package/, /config-zip/, /healthy/))).toBe(true);
  });

  test('--code-only and --exec work while another deployment fails or is running', async () => {
    const { deploy, azure } = await deployed();
    expect(azure.history[0]?.name).toMatch(/^dermagate-dev-\d{14}$/);
    // The modules deploy under names of their own.
    azure.history.push({ name: 'monitoring', provisioningState: 'Succeeded' });
    for (const provisioningState of ['Failed', 'Running']) {
      azure.history.push({ name: `dermagate-dev-${provisioningState}`, provisioningState });
      expect(await deploy([...go, '--code-only'])).toMatchObject({ code: 0 });
      expect(await deploy(['--env', 'dev', '--exec', 'npm', 'run', 'create-admin'])).toMatchObject({
        code: 0,
      });
    }
  });

  test('--code-only before a first deployment reports that one is needed', async () => {
    const { output } = await (await stage({ group: true })).deploy([...go, '--code-only']);
    expect(output).toContain('Deploy once without --code-only');
  });

  test('--rotate keeps the old secret valid beside the new one until --retire switches it off', async () => {
    const { deploy, azure } = await deployed();
    const [old] = azure.secrets['secret-key'] ?? [];

    expect(await deploy([...go, '--rotate', 'secret-key'])).toMatchObject({ code: 0 });
    const rotated = structuredClone(azure);
    expect(rotated.secrets['secret-key']).toHaveLength(2);
    expect(rotated.secrets['secret-key']?.[1]).not.toEqual(old);
    expect(rotated.secrets['secret-key-previous']).toEqual([old]);
    expect(rotated.deployments.at(-1)).toMatchObject({ DERMAGATE_ROTATED_SECRETS: 'secret-key' });

    // A deployment in between keeps the old one; a second rotation would forget it too early.
    await deploy(go);
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_ROTATED_SECRETS: 'secret-key' });
    expect(await deploy([...go, '--rotate', 'secret-key'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('retire it first'),
    });

    expect(await deploy([...go, '--retire', 'secret-key'])).toMatchObject({ code: 0 });
    expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_ROTATED_SECRETS: '' });
    expect(azure.secrets['secret-key-previous']?.[0]?.enabled).toBe(false);

    const again = await deploy([...go, '--retire', 'secret-key']);
    expect(again).toMatchObject({
      code: 1,
      output: expect.stringContaining('no secret-key-previous to retire'),
    });
    expect(await deploy([...go, '--rotate', 'secret-key'])).toMatchObject({ code: 0 });
    expect(azure.secrets['secret-key-previous']).toHaveLength(2);
  });

  test('--rotate changes nothing before the preview and the confirmation', async () => {
    const { deploy, azure } = await deployed();
    const secrets = structuredClone(azure.secrets);
    const refused = await deploy([...go, '--rotate', 'secret-key'], { FAKE_FAIL: 'what-if' });
    expect(refused.output).toContain('Stopped at: Preview the changes.');
    const unconfirmed = await deploy(['--env', 'dev', '--rotate', 'secret-key']);
    expect(unconfirmed.output).toContain('add --yes');
    for (const { code, calls } of [refused, unconfirmed]) {
      expect(code).toBe(1);
      expect(calls.filter((call) => changing.test(call))).toEqual([]);
    }
    expect(azure.secrets).toEqual(secrets);
    const { calls } = await deploy([...go, '--rotate', 'secret-key']);
    expect(
      ascending(
        order(
          calls,
          /deployment group what-if/,
          /secret set .*--name secret-key-previous/,
          /secret set .*--name secret-key /,
          /deployment group create/,
        ),
      ),
    ).toBe(true);
  });

  test.each(['secret-key', 'field-encryption-key'])(
    'a rotation of %s that stops halfway makes no secret its own predecessor, and can be repeated',
    async (name) => {
      const { deploy, azure } = await deployed();
      const [old] = azure.secrets[name] ?? [];
      const halfway = { FAKE_FAIL: `secret set .*--name ${name} ` };
      expect(await deploy([...go, '--rotate', name], halfway)).toMatchObject({ code: 1 });
      expect(azure.secrets).toMatchObject({ [name]: [old], [`${name}-previous`]: [old] });

      const { code, output } = await deploy(go);
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining(`repeat it with --rotate ${name}`),
      });
      expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_ROTATED_SECRETS: '' });

      expect(await deploy([...go, '--rotate', name])).toMatchObject({ code: 0 });
      expect(azure.deployments.at(-1)).toMatchObject({ DERMAGATE_ROTATED_SECRETS: name });
      expect(azure.secrets[`${name}-previous`]?.at(-1)).toEqual(old);
      expect(azure.secrets[name]?.at(-1)).not.toEqual(old);
      expect(await deploy([...go, '--rotate', name])).toMatchObject({ code: 1 });
    },
  );

  test('--exec runs a command with the database and closes the firewall again, also when the command fails', async () => {
    const { deploy, azure } = await deployed();
    const { code, databases } = await deploy(['--env', 'dev', '--exec', 'npm', 'run', 'create-admin']);
    expect(code).toBe(0);
    expect(databases).toEqual([
      {
        script: 'run create-admin',
        url: expect.stringContaining('/dermagate?sslmode=verify-full'),
        libpq:
          'ana@example.org@psql-dermagate-dev-abc123.postgres.database.azure.com/dermagate eyJ.fake-entra-token',
      },
    ]);
    expect(await deploy(['--env', 'dev', '--exec', 'false'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('Stopped at: Run false.'),
    });
    expect(azure.firewall).toEqual([]);
  });

  test('a firewall rule that a killed run has left is removed by a later one, once it is a day old', async () => {
    const { deploy, azure } = await deployed();
    const rules = (...hours: number[]) =>
      hours.map((hour) => {
        const stamp = new Date(Date.now() - hour * 3_600_000)
          .toISOString()
          .replaceAll(/\D/g, '')
          .slice(0, 14);
        return `${server}/firewallRules/deploy-${stamp}-4711`;
      });
    const others = [`${server}/firewallRules/azure-addresses`, ...rules(1, 23)];
    azure.firewall = [...others, ...rules(25, 24 * 40)];
    const exec = ['--env', 'dev', '--exec', 'true'];
    expect(await deploy(exec, { FAKE_FAIL: 'method delete .*-4711' })).toMatchObject({ code: 0 });
    expect(azure.firewall).toHaveLength(5);
    expect(await deploy(exec)).toMatchObject({ code: 0 });
    expect(azure.firewall).toEqual(others);
  });

  test('--exec opens storage as the identity of az login, not as that of the machine', async () => {
    const { deploy } = await deployed();
    const show = ['--exec', 'sh', '-c', 'echo "credentials: $AZURE_TOKEN_CREDENTIALS"'];
    const { output } = await deploy(['--env', 'dev', ...show]);
    const [, credentials = ''] = /^credentials: (\S+)$/m.exec(output) ?? [];
    expect(credentials).toBe('AzureCliCredential');
    // The SDK refuses a name that it does not know.
    const open = `new (require('@azure/identity').DefaultAzureCredential)()`;
    const env = { ...process.env, AZURE_TOKEN_CREDENTIALS: credentials };
    expect(spawnSync(process.execPath, ['-e', open], { cwd: root, env, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    const own = await deploy(['--env', 'dev', ...show], { AZURE_TOKEN_CREDENTIALS: 'prod' });
    expect(own.output).toContain('credentials: prod');
  });

  test('--exec psql requires a version that uses the machine’s certificates, before it opens the firewall', async () => {
    const { deploy } = await deployed();
    const old = await deploy(['--env', 'dev', '--exec', 'psql', '-l'], {
      FAKE_PSQL_VERSION: '15.18 (Debian)',
    });
    expect(old.output).toContain('psql (PostgreSQL) 15.18 (Debian) is too old; install 16 or newer');
    expect(old.calls.filter((call) => changing.test(call))).toEqual([]);
    const { code, databases } = await deploy(['--env', 'dev', '--exec', 'psql', '-l']);
    expect(code).toBe(0);
    expect(databases).toMatchObject([
      { script: '-l', libpq: expect.stringContaining('/dermagate eyJ.fake') },
    ]);
  });

  test('--help lists every option and every setting that the script reads', async () => {
    const { code, output } = await (await stage()).deploy(['--help']);
    expect(code).toBe(0);
    expect(output).not.toContain('Stopped');
    for (const word of [
      '--env',
      '--what-if',
      '--code-only',
      '--rotate',
      '--retire',
      '--resource-group',
      '--location',
      '--yes',
      '--exec',
    ]) {
      expect(output).toContain(word);
    }
  });
});

test('every npm script that it runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const parts = globSync('infra/deploy{.sh,/*.sh}', { cwd: root });
  const text = parts.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const run = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(run).toContain('db:migrate');
  for (const name of run) expect(Object.keys(scripts)).toContain(name);
});

test.runIf(spawnSync('shellcheck', ['--version']).status === 0)('ShellCheck has nothing to say', () => {
  const parts = globSync('infra/deploy/*.sh', { cwd: root });
  expect(parts.length).toBeGreaterThan(3);
  for (const files of [['infra/deploy.sh'], parts]) {
    const { stdout } = spawnSync('shellcheck', ['-x', ...files], { cwd: root, encoding: 'utf8' });
    expect(stdout).toBe('');
  }
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JSONValue, search } from '@jmespath-community/jmespath';

/*
 * Stands in for the az CLI while deploy.sh is rehearsed: knows the options of the commands that the script may call (as
 * `az <command> --help` names them), keeps what they change, and answers JSON of Azure's shape, through --query and
 * --output tsv as the real one does.
 */

export interface AzureState {
  version: string;
  signedIn: boolean;
  userType: 'user' | 'servicePrincipal';
  group: boolean;
  appProvider: string;
  deployed: boolean;
  isolated: boolean;
  /** What each deployment that succeeded read of the environment, as the parameter file says. */
  deployments: Record<string, string>[];
  /** Every deployment, in the order of their beginning. */
  history: { name: string; provisioningState: string }[];
  /** Codes with which the next deployments fail at PostgreSQL's settings. */
  postgresRefusals: string[];
  /** What the PostgreSQL server says of itself when asked next; then it is ready. */
  postgresStates: string[];
  secrets: Record<string, { value: string; enabled: boolean }[]>;
  /** When the newest version of each secret was made, in seconds. */
  secretsCreated: Record<string, number>;
  deletedSecrets: string[];
  /** Calls of the vault that fail until a role acts. */
  vaultRefusals: number;
  references: string;
  /** How often Azure has to be asked to look at the references again until it has resolved them. */
  refreshesNeeded: number;
  firewall: string[];
  storageGB: number;
  /** Names of PostgreSQL servers beside the default one. */
  restoredServers: string[];
  published: number;
}

/** Where a command is called: what it can read there. */
export interface Caller {
  folder: string;
  environment: Record<string, string | undefined>;
}

interface Call {
  command: string;
  options: Record<string, string[]>;
  caller: Caller;
}

/** What the real CLI says on stderr, with its exit code. */
class Refusal extends Error {
  readonly code: number;
  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

function refuse(message: string, code = 1): never {
  throw new Refusal(message, code);
}

/** Options of each command; those that every command has are added below. */
const commands: Record<string, string> = {
  version: '',
  login: '--tenant',
  'account set': '--name --subscription',
  'account show': '--name',
  'account get-access-token': '--name --resource --resource-type --scope --tenant',
  'ad signed-in-user show': '',
  'ad sp show': '--id',
  'group exists': '--name',
  'group create': '--location --name --managed-by --tags',
  'provider show': '--namespace --expand',
  'provider register': '--namespace --consent-to-permissions --management-group-id --wait',
  'resource list': '--location --name --tag --namespace --resource-group --resource-type',
  'resource show':
    '--ids --api-version --name --namespace --parent --resource-group --resource-type --include-response-body',
  'deployment group what-if':
    '--resource-group --name --mode --parameters --template-file --no-prompt --result-format --exclude-change-types',
  'deployment group create':
    '--resource-group --name --mode --parameters --template-file --no-prompt --no-wait --what-if --rollback-on-error',
  'deployment group list': '--resource-group --filter',
  'deployment group show': '--resource-group --name',
  'keyvault secret list': '--vault-name --id --maxresults --include-managed',
  'keyvault secret list-deleted': '--vault-name --id --maxresults',
  'keyvault secret set':
    '--vault-name --name --id --value --file --encoding --description --disabled --expires --not-before --tags',
  'keyvault secret download': '--vault-name --name --id --file --encoding --version',
  'keyvault secret set-attributes': '--vault-name --name --id --enabled --expires --version --tags',
  rest: '--uri --body --headers --method --output-file --resource --skip-authorization-header --uri-parameters',
  'staticwebapp secrets list': '--name --resource-group',
  'functionapp deployment source config-zip':
    '--src --build-remote --slot --timeout --ids --name --resource-group',
};
const everywhere = '--debug --help --only-show-errors --output --query --subscription --verbose';

const SUBSCRIPTION = '7b8e0d6e-1111-4222-8333-944455556666';
const groupId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-dermagate-dev`;
const servers = `${groupId}/providers/Microsoft.DBforPostgreSQL/flexibleServers`;
export const server = `${servers}/psql-dermagate-dev-abc123`;
const app = `${groupId}/providers/Microsoft.Web/sites/func-dermagate-dev-abc123`;

function parse(args: string[], caller: Caller): Call {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  const command = args.slice(0, first === -1 ? args.length : first).join(' ');
  const known = commands[command];
  if (known === undefined) refuse(`'${command}' is misspelled or not recognized by the system.`, 2);
  const allowed = new Set(`${known} ${everywhere}`.split(' '));
  const options: Record<string, string[]> = {};
  let current: string[] = [];
  for (const arg of first === -1 ? [] : args.slice(first)) {
    if (!arg.startsWith('--')) current.push(arg);
    else if (!allowed.has(arg)) refuse(`unrecognized arguments: ${arg}`, 2);
    else options[arg] = current = [];
  }
  return { command, options, caller };
}

/** Compiles nothing, but wants what the parameter file wants, and gives the outputs that main.bicep names. */
function readParameterFile({ options, caller }: Call): Record<string, string> {
  const [name = ''] = options['--parameters'] ?? [];
  const file = join(caller.folder, name);
  if (!file.endsWith('.bicepparam') || !existsSync(file)) refuse(`no such parameter file: ${file}`);
  const text = readFileSync(file, 'utf8');
  const wanted = [...text.matchAll(/readEnvironmentVariable\('(\w+)'(?:, '([^']*)')?\)/g)];
  const missing = wanted.filter(
    ([, name = '', fallback]) => fallback === undefined && caller.environment[name] === undefined,
  );
  if (missing.length > 0)
    refuse(`BCP338: environment variable does not exist: ${missing.map(([, name]) => name).join()}`);
  return Object.fromEntries(
    wanted.map(([, name = '', fallback = '']) => [name, caller.environment[name] ?? fallback]),
  );
}

function outputs(state: AzureState, { caller }: Call): Record<string, { value: unknown }> {
  const secrets = ['secret-key', 'password-pepper', 'field-encryption-key', 'ai-service-key'];
  const last = state.deployments.at(-1) ?? {};
  if (last['DERMAGATE_MAIL_FROM']) secrets.push('mail-url');
  if (last['DERMAGATE_ELIGIBILITY_SERVICE_URL']) secrets.push('eligibility-service-key');
  if (last['DERMAGATE_VAPID_SUBJECT']) secrets.push('vapid-private-key');
  if (last['DERMAGATE_FCM'] === 'true') secrets.push('fcm-service-account');
  for (const name of (last['DERMAGATE_ROTATED_SECRETS'] ?? '').split(','))
    if (name) secrets.push(`${name}-previous`);
  const values: Record<string, unknown> = {
    appId: app,
    appName: 'func-dermagate-dev-abc123',
    appUrl: last['DERMAGATE_PUBLIC_URL'] || 'https://func-dermagate-dev-abc123.azurewebsites.net',
    frontDoorId: last['DERMAGATE_FRONT_DOOR_ID'] ?? '',
    extraSettingKeys: Object.keys(JSON.parse(last['DERMAGATE_SETTINGS'] || '{}') as object).join(),
    eligibilityServiceUrl: last['DERMAGATE_ELIGIBILITY_SERVICE_URL'] ?? '',
    emergencyNumber: last['DERMAGATE_EMERGENCY_NUMBER'] ?? '',
    crisisLine: last['DERMAGATE_CRISIS_LINE'] ?? '',
    portalSku: last['DERMAGATE_PORTAL_SKU'] ?? '',
    portalName: last['DERMAGATE_PORTAL_SKU'] ? 'stapp-dev-abc123' : '',
    siteUrl: last['DERMAGATE_PORTAL_SKU'] ? 'https://calm-sea-01.azurestaticapps.net' : '',
    liveUrl: last['DERMAGATE_WEB_PUBSUB'] ? 'https://wps-dermagate-dev-abc123.webpubsub.azure.com' : '',
    identityName: 'id-dermagate-dev-abc123',
    identityPrincipalId: '0f0e0d0c-1111-4222-8333-944455556666',
    vaultName: 'kv-dev-abc123',
    vaultSecretNames: secrets,
    postgresServerId: `${servers}/${last['DERMAGATE_POSTGRES_SERVER'] || 'psql-dermagate-dev-abc123'}`,
    postgresHost: 'psql-dermagate-dev-abc123.postgres.database.azure.com',
    databaseName: 'dermagate',
    administratorName: last['DERMAGATE_ADMIN_NAME'],
    networkIsolation: state.isolated,
    outboundIpAddress: '',
  };
  const named = readFileSync(join(caller.folder, 'infra/main.bicep'), 'utf8').matchAll(/^output (\w+)/gm);
  return Object.fromEntries([...named].map(([, name = '']) => [name, { value: values[name] }]));
}

function rest(state: AzureState, { options }: Call): unknown {
  const method = options['--method']?.[0] ?? 'get';
  const [uri = ''] = options['--uri'] ?? [];
  const path = uri.split('?')[0] ?? '';
  if (!/\?api-version=\d{4}-\d\d-\d\d(-preview)?$/.test(uri)) refuse(`no api-version: ${uri}`);
  if (path.endsWith('/Microsoft.Consumption/budgets')) {
    const start = state.deployed
      ? [
          {
            name: 'budget-dermagate-dev-abc123',
            properties: { timePeriod: { startDate: '2026-09-01T00:00:00Z' } },
          },
        ]
      : [];
    return { value: start };
  }
  if (path.endsWith('/vaults/kv-dev-abc123/secrets')) {
    return {
      value: Object.entries(state.secrets).map(([name, versions]) => ({
        name,
        properties: {
          attributes: { enabled: versions.at(-1)?.enabled, created: state.secretsCreated[name] ?? 0 },
        },
      })),
    };
  }
  if (path.startsWith(`${servers}/`) && path.endsWith('/firewallRules')) {
    const known = state.firewall.filter((rule) => rule.startsWith(`${path}/`));
    return { value: known.map((id) => ({ id, name: id.split('/').at(-1) })) };
  }
  if (path.startsWith(`${servers}/`) && path.includes('/firewallRules/')) {
    const known = state.firewall.includes(path);
    if (method === 'put') {
      const { properties } = JSON.parse(options['--body']?.[0] ?? '') as {
        properties: Record<string, string>;
      };
      if (properties['startIpAddress'] === undefined || properties['endIpAddress'] === undefined)
        refuse('bad rule');
      state.firewall.push(path);
    } else if (!known) refuse('Not Found({"code": "ResourceNotFound"})');
    if (method === 'delete') state.firewall = state.firewall.filter((rule) => rule !== path);
    return {};
  }
  if (path === `${app}/config/configreferences/appsettings/refresh` && method === 'post') {
    state.refreshesNeeded -= 1;
    return { value: [] };
  }
  if (path === `${app}/config/configreferences/appsettings`) {
    const status = state.refreshesNeeded > 0 ? 'AccessToKeyVaultDenied' : state.references;
    return { value: [{ name: 'SECRET_KEY', properties: { status } }] };
  }
  return refuse(`Not Found: ${method} ${uri}`);
}

function keyVault(state: AzureState, { command, options }: Call): unknown {
  if (options['--vault-name']?.[0] !== 'kv-dev-abc123') refuse('no such vault');
  if (state.vaultRefusals > 0) {
    state.vaultRefusals -= 1;
    return refuse('(Forbidden) Caller is not authorized to perform action on resource.');
  }
  const [name = ''] = options['--name'] ?? [];
  const [file = ''] = options['--file'] ?? [];
  const versions = (state.secrets[name] ??= []);
  switch (command) {
    case 'keyvault secret list-deleted':
      return state.deletedSecrets.map((each) => ({
        id: `https://kv-dev-abc123.vault.azure.net/secrets/${each}`,
      }));
    case 'keyvault secret set':
      versions.push({ value: readFileSync(file, 'utf8'), enabled: true });
      state.secretsCreated[name] = Math.max(1_790_000_000, ...Object.values(state.secretsCreated)) + 1;
      return { name, value: versions.at(-1)?.value };
    case 'keyvault secret download': {
      const latest = versions.at(-1);
      if (latest === undefined || !latest.enabled) refuse(`(SecretNotFound) ${name}`);
      if (existsSync(file)) refuse(`File or directory named '${file}' already exists.`);
      writeFileSync(file, latest.value);
      return undefined;
    }
    case 'keyvault secret set-attributes': {
      const latest = versions.at(-1);
      if (latest === undefined) refuse(`(SecretNotFound) ${name}`);
      latest.enabled = options['--enabled']?.[0] === 'true';
      return {};
    }
    default:
      return Object.entries(state.secrets).map(([each, all]) => ({
        name: each,
        attributes: { enabled: all.at(-1)?.enabled },
      }));
  }
}

function answer(state: AzureState, call: Call): unknown {
  const { command, options, caller } = call;
  if (command === 'version') return { 'azure-cli': state.version, 'azure-cli-core': state.version };
  if (command === 'login') {
    state.signedIn = true;
    return [];
  }
  if (!state.signedIn) refuse("Please run 'az login' to setup account.");
  const inGroup = options['--resource-group'] !== undefined || command === 'resource show';
  if (inGroup && !state.group) refuse('(ResourceGroupNotFound) Resource group could not be found.', 3);
  if (command.startsWith('keyvault')) return keyVault(state, call);
  switch (command) {
    case 'account show':
      return {
        id: SUBSCRIPTION,
        name: 'Clinic production',
        user: { name: 'ana@example.org', type: state.userType },
      };
    case 'account set':
      return undefined;
    case 'account get-access-token':
      return { accessToken: 'eyJ.fake-entra-token', tokenType: 'Bearer' };
    case 'ad signed-in-user show':
      return { id: 'aaaaaaaa-1111-4222-8333-944455556666', userPrincipalName: 'ana@example.org' };
    case 'ad sp show':
      return { id: 'bbbbbbbb-1111-4222-8333-944455556666', displayName: 'Deployment pipeline' };
    case 'group exists':
      return state.group;
    case 'group create':
      state.group = true;
      return { id: groupId };
    case 'provider show':
      return { namespace: 'Microsoft.App', registrationState: state.appProvider };
    case 'provider register':
      state.appProvider = 'Registered';
      return undefined;
    case 'resource list':
      if (!state.deployed) return [];
      return options['--resource-type']?.[0] === 'Microsoft.KeyVault/vaults'
        ? [{ id: `${groupId}/providers/Microsoft.KeyVault/vaults/kv-dev-abc123`, name: 'kv-dev-abc123' }]
        : ['psql-dermagate-dev-abc123', ...state.restoredServers].map((name) => ({
            id: `${servers}/${name}`,
            name,
          }));
    case 'resource show':
      if (/\s/.test(options['--ids']?.join('') ?? '')) refuse('invalid resource ID', 2);
      return {
        id: server,
        properties: {
          storage: { storageSizeGB: state.storageGB },
          state: state.postgresStates.shift() ?? 'Ready',
        },
      };
    case 'deployment group what-if':
      readParameterFile(call);
      return { changes: [] };
    case 'deployment group create': {
      const name = options['--name']?.[0] ?? '';
      const read = readParameterFile(call);
      const refusal = state.postgresRefusals.shift();
      state.deployed = true;
      state.history = state.history.filter((before) => before.name !== name);
      state.history.push({ name, provisioningState: refusal === undefined ? 'Succeeded' : 'Failed' });
      if (refusal !== undefined)
        refuse(
          `{"code": "DeploymentFailed", "details": [{"code": "Conflict", "details": [{"code": "${refusal}"}]}]}`,
        );
      state.deployments.push(read);
      return { properties: { outputs: outputs(state, call) } };
    }
    case 'deployment group list':
      return state.history.map(({ name, provisioningState }, i) => ({
        name,
        properties: { provisioningState, timestamp: `2026-11-20T09:00:${String(i).padStart(2, '0')}+00:00` },
      }));
    case 'deployment group show': {
      const found = state.history.find(({ name }) => name === options['--name']?.[0]);
      if (found === undefined) refuse('(DeploymentNotFound) Deployment could not be found.', 3);
      // One that failed or is under way has none.
      return {
        properties: { outputs: found.provisioningState === 'Succeeded' ? outputs(state, call) : null },
      };
    }
    case 'staticwebapp secrets list':
      if (options['--name']?.[0] !== 'stapp-dev-abc123') refuse('(ResourceNotFound) no such site', 3);
      return { properties: { apiKey: 'fake-upload-token' } };
    case 'functionapp deployment source config-zip':
      if (!existsSync(join(caller.folder, options['--src']?.[0] ?? ''))) refuse('no such zip');
      state.published += 1;
      return {};
    default:
      return rest(state, call);
  }
}

/** As knack's tsv: a list item a line, null as None. */
function print(result: unknown, { options }: Call): string {
  const [query] = options['--query'] ?? [];
  const [output = 'json'] = options['--output'] ?? [];
  const found: unknown = query === undefined ? result : search(result as JSONValue, query);
  if (output === 'none' || found === undefined) return '';
  if (output === 'json') return `${JSON.stringify(found, null, 2)}\n`;
  const rows: unknown[] = Array.isArray(found) ? found : [found];
  return rows.map((row) => `${(Array.isArray(row) ? row : [row]).map(cell).join('\t')}\n`).join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Answers one call; `state` is changed by it. */
export function runAz(
  state: AzureState,
  args: string[],
  caller: Caller,
): { code: number; stdout: string; stderr: string } {
  try {
    const call = parse(args, caller);
    return { code: 0, stdout: print(answer(state, call), call), stderr: '' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, stdout: '', stderr: `ERROR: ${error.message}\n` };
  }
}

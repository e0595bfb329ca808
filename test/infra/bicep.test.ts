import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintBicep, parameterFiles } from '../../dev/tools/infra/lint-bicep.ts';
import {
  isExpression,
  readBicep,
  type Resource,
  type Template,
  type Value,
} from '../../dev/tools/infra/read-bicep.ts';
import {
  backupsGoneAfterDays,
  deletedImagesGoneAfterDays,
} from '../../src/domain/records/erasure/person-tables.ts';
import { hostSettings } from '../../dev/run/settings.ts';
import { endpoints } from '../../src/endpoints.ts';
import { settableKeys } from '../../src/cli/check-settings.ts';
import { readConfig } from '../../src/lib/configuration/config.ts';
import { Environment } from '../../src/lib/configuration/environment.ts';
import { blocksOf } from '../support/documents.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = join(import.meta.dirname, '..', '..', 'infra');
const templates = new Map(
  globSync('**/*.bicep', { cwd: folder }).map((file): [string, Template] => [
    file,
    readBicep(join(folder, file)),
  ]),
);
const resources = [...templates.values()].flatMap((template) => template.resources);
const template = (file: string) => templates.get(file) as Template;
const main = template('main.bicep');

/** Follows `path`; an expression is given as its text. */
function at(value: Value | undefined, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[key];
  return isExpression(found as Value) ? (found as { expression: string }).expression : found;
}

const ofType = (type: string): Resource[] => {
  const found = resources.filter((resource) => resource.type === type && !resource.existing);
  expect(found.length, type).toBeGreaterThan(0);
  return found;
};

describe('names', () => {
  test('every reference resolves, every parameter is described, used and passed, every output exists', () => {
    expect(templates.size).toBeGreaterThan(10);
    expect(lintBicep(folder)).toEqual([]);
  });

  const small = `@description('x')\nparam used string\nmodule m 'm.bicep' = {\n  name: 'm'\n  params: {\n    a: used\n  }\n}\n`;
  const module = `@description('a')\nparam a string\n@description('o')\noutput o string = a\n`;
  test.each([
    ['nothing wrong', small, module, []],
    ['a syntax error', `${small}resource = {`, module, ['main.bicep:9:1']],
    [
      'a name that is not declared',
      small.replace('a: used', 'a: usde'),
      module,
      ['usde is not declared', 'used is not used'],
    ],
    [
      'a parameter without description',
      small.replace("@description('x')\n", ''),
      module,
      ['used has no description'],
    ],
    [
      'a parameter that is not passed',
      small,
      `${module}@description('b')\nparam b int\noutput p int = b`,
      ['m is not given b', 'p has no description'],
    ],
    [
      'a parameter that there is not',
      small,
      module.replaceAll(/\ba\b/g, 'z'),
      ['m has no parameter a', 'm is not given z'],
    ],
    [
      'an output that there is not',
      `${small}@description('o')\noutput q string = m.outputs.q\n`,
      module,
      ['m has no output q'],
    ],
    ['a module that there is not', small.replace('m.bicep', 'n.bicep'), module, ['n.bicep']],
    [
      'a file that there is not',
      `${small}var t = loadTextContent('t.json')\n`,
      module,
      ['t is not used', 't.json is not there'],
    ],
    [
      'an unused loop over what there is not',
      `${small}var v = [for i in is: i.j]\n`,
      module,
      ['is is not declared', 'v is not used'],
    ],
  ])('a check finds %s', (_, first, second, expected) => {
    const project = tempFolder();
    writeFileSync(join(project, 'main.bicep'), first);
    writeFileSync(join(project, 'm.bicep'), second);
    const problems = lintBicep(project);
    for (const problem of expected) expect(problems).toContainEqual(expect.stringContaining(problem));
    if (expected.length === 0) expect(problems).toEqual([]);
  });

  test('a parameter file is read as well', () => {
    const project = tempFolder();
    mkdirSync(join(project, 'sub'));
    writeFileSync(join(project, 'sub', 'x.bicepparam'), "using 'main.bicep'\n\nparam a = [\n");
    expect(lintBicep(project)).toHaveLength(1);
  });
});

describe('resources', () => {
  // Checked against the type definitions of Azure/bicep-types-az, August 2026. A new version is a decision, not an accident.
  const versions: Record<string, string> = {
    'Microsoft.Authorization/roleAssignments': '2022-04-01',
    'Microsoft.Consumption/budgets': '2024-08-01',
    'Microsoft.DBforPostgreSQL/flexibleServers': '2025-08-01',
    'Microsoft.DBforPostgreSQL/flexibleServers/administrators': '2025-08-01',
    'Microsoft.DBforPostgreSQL/flexibleServers/configurations': '2025-08-01',
    'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules': '2025-08-01',
    'Microsoft.Insights/actionGroups': '2024-10-01-preview',
    'Microsoft.Insights/components': '2020-02-02',
    'Microsoft.Insights/diagnosticSettings': '2021-05-01-preview',
    'Microsoft.Insights/metricAlerts': '2018-03-01',
    'Microsoft.Insights/scheduledQueryRules': '2025-01-01-preview',
    'Microsoft.Insights/webtests': '2022-06-15',
    'Microsoft.Insights/workbooks': '2023-06-01',
    'Microsoft.KeyVault/vaults': '2024-11-01',
    'Microsoft.ManagedIdentity/userAssignedIdentities': '2024-11-30',
    'Microsoft.Network/natGateways': '2025-05-01',
    'Microsoft.Network/privateDnsZones': '2020-06-01',
    'Microsoft.Network/privateDnsZones/virtualNetworkLinks': '2024-06-01',
    'Microsoft.Network/privateEndpoints': '2025-05-01',
    'Microsoft.Network/privateEndpoints/privateDnsZoneGroups': '2025-05-01',
    'Microsoft.Network/publicIPAddresses': '2025-05-01',
    'Microsoft.Network/virtualNetworks': '2025-05-01',
    'Microsoft.Network/virtualNetworks/subnets': '2025-05-01',
    'Microsoft.OperationalInsights/workspaces': '2025-07-01',
    'Microsoft.SignalRService/webPubSub': '2024-03-01',
    'Microsoft.Storage/storageAccounts': '2025-06-01',
    'Microsoft.Storage/storageAccounts/blobServices': '2025-01-01',
    'Microsoft.Storage/storageAccounts/blobServices/containers': '2025-01-01',
    'Microsoft.Storage/storageAccounts/managementPolicies': '2025-06-01',
    'Microsoft.Web/serverfarms': '2025-03-01',
    'Microsoft.Web/staticSites': '2024-11-01',
    'Microsoft.Web/sites': '2025-03-01',
    'Microsoft.Web/sites/basicPublishingCredentialsPolicies': '2025-03-01',
    'Microsoft.Web/sites/config': '2025-03-01',
  };

  test('have the API versions that were checked', () => {
    const found = Object.fromEntries(resources.map(({ type, apiVersion }) => [type, apiVersion]));
    expect(found).toEqual(versions);
  });

  test('carry the tags, and stand where the resource group does, wherever they can', () => {
    const without = [
      'Authorization',
      'Consumption',
      'diagnosticSettings',
      '/config',
      'basicPublishing',
      'flexibleServers/',
      'blobServices',
      'managementPolicies',
      'subnets',
      'privateDnsZoneGroups',
    ];
    for (const { symbol, type, body, existing } of resources) {
      if (existing || without.some((part) => type.includes(part))) continue;
      expect(at(body, 'tags'), symbol).toMatch(/tags/);
      expect(['location', 'global'], symbol).toContain(at(body, 'location'));
    }
  });
});

describe('security', () => {
  test('storage: no public blobs, no shared keys, TLS 1.2 over https only, closed to the internet when isolated', () => {
    const accounts = ofType('Microsoft.Storage/storageAccounts');
    expect(accounts).toHaveLength(2);
    for (const { body } of accounts) {
      expect(at(body, 'properties')).toMatchObject({
        allowBlobPublicAccess: false,
        allowSharedKeyAccess: false,
        allowCrossTenantReplication: false,
        minimumTlsVersion: 'TLS1_2',
        supportsHttpsTrafficOnly: true,
      });
      expect(at(body, 'properties.publicNetworkAccess')).toBe("isolated ? 'Disabled' : 'Enabled'");
      expect(at(body, 'properties.networkAcls.defaultAction')).toBe("isolated ? 'Deny' : 'Allow'");
    }
    for (const { body } of ofType('Microsoft.Storage/storageAccounts/blobServices/containers')) {
      expect(at(body, 'properties.publicAccess')).toBe('None');
    }
  });

  test('images: versions, soft delete and a lifecycle that ends them; access is logged', () => {
    const { resources: own } = template('modules/image-storage.bicep');
    const [blobs] = own.filter(({ type }) => type.endsWith('/blobServices'));
    expect(at(blobs?.body, 'properties')).toMatchObject({
      isVersioningEnabled: true,
      deleteRetentionPolicy: { enabled: true },
      containerDeleteRetentionPolicy: { enabled: true },
    });
    const [policy] = own.filter(({ type }) => type.endsWith('/managementPolicies'));
    // How long a deleted image lives is a promise: the soft delete alone counts the days.
    expect(at(blobs?.body, 'properties.deleteRetentionPolicy.days')).toBe('retentionDays');
    const rules = at(policy?.body, 'properties.policy.rules') as Value[];
    expect(
      rules.map((rule) => at(rule, 'definition.actions.version.delete.daysAfterCreationGreaterThan')),
    ).toContain(1);
    expect(own.some(({ type }) => type === 'Microsoft.Insights/diagnosticSettings')).toBe(true);
  });

  test('the app: https and TLS 1.2 only, no FTP, no publishing passwords, its own identity, Node 24', () => {
    const [app] = ofType('Microsoft.Web/sites');
    expect(at(app?.body, 'properties')).toMatchObject({
      httpsOnly: true,
      siteConfig: { minTlsVersion: '1.2', scmMinTlsVersion: '1.2', ftpsState: 'Disabled' },
      functionAppConfig: {
        runtime: { name: 'node', version: '24' },
        deployment: { storage: { authentication: { type: 'UserAssignedIdentity' } } },
      },
    });
    expect(at(app?.body, 'properties.siteConfig.cors')).toBeUndefined();
    expect(at(app?.body, 'identity.type')).toBe('UserAssigned');
    expect(at(app?.body, 'properties.keyVaultReferenceIdentity')).toBe('identityId');
    const policies = ofType('Microsoft.Web/sites/basicPublishingCredentialsPolicies');
    expect(policies.map(({ body }) => [at(body, 'name'), at(body, 'properties.allow')])).toEqual([
      ['ftp', false],
      ['scm', false],
    ]);
  });

  test('the app behind Front Door: its service tag and the header of our profile, nothing else; never a second proxy without', () => {
    const [app] = ofType('Microsoft.Web/sites');
    const site = at(app?.body, 'properties.siteConfig');
    expect(at(site as Value, 'ipSecurityRestrictionsDefaultAction')).toBe(
      "empty(frontDoorId) ? 'Allow' : 'Deny'",
    );
    const rules = String(at(site as Value, 'ipSecurityRestrictions')).replaceAll(/\s+/g, ' ');
    expect(rules).toBe(
      "empty(frontDoorId) ? [] : [ { name: 'front-door' priority: 100 action: 'Allow' tag: 'ServiceTag' " +
        "ipAddress: 'AzureFrontDoor.Backend' headers: { 'x-azure-fdid': [ frontDoorId ] } } ]",
    );
    expect(main.modules.find(({ symbol }) => symbol === 'functionApp')?.params).toMatchObject({
      frontDoorId: { expression: 'frontDoorId' },
    });
    expect(at(own, 'FRONT_DOOR_ID')).toBe('frontDoorId');
    expect(at(own, 'TRUSTED_PROXY_HOPS')).toBe('string(trustedProxyHops)');
    // No parameter: two proxies without the restriction cannot be asked for.
    expect(main.parameters.map(({ name }) => name)).not.toContain('trustedProxyHops');
    expect(at({ hops: main.variables.get('trustedProxyHops') ?? null }, 'hops')).toBe(
      'empty(frontDoorId) ? 1 : 2',
    );
  });

  test('availability tests use the public address', () => {
    expect(at({ url: main.variables.get('appUrl') ?? null }, 'url')).toBe(
      'empty(publicUrl) ? functionApp.outputs.url : publicUrl',
    );
    expect(at(main.modules.find(({ symbol }) => symbol === 'watching')?.params, 'appUrl')).toBe('appUrl');
    expect(readFileSync(join(folder, 'main.bicep'), 'utf8')).toContain('output appUrl string = appUrl\n');
  });

  test('PostgreSQL: Entra tokens instead of passwords, in every installation; TLS 1.2; no rows in its log', () => {
    const [server] = ofType('Microsoft.DBforPostgreSQL/flexibleServers');
    expect(at(server?.body, 'properties.authConfig')).toMatchObject({
      activeDirectoryAuth: 'Enabled',
      passwordAuth: 'Disabled',
    });
    expect(at(server?.body, 'properties.administratorLoginPassword')).toBeUndefined();
    expect(at(server?.body, 'properties.network.publicNetworkAccess')).toBe(
      "isolated ? 'Disabled' : 'Enabled'",
    );
    expect(template('modules/postgresql-settings.bicep').variables.get('configurations')).toEqual(
      expect.arrayContaining([
        { name: 'require_secure_transport', value: 'on' },
        { name: 'ssl_min_protocol_version', value: 'TLSv1.2' },
        { name: 'log_error_verbosity', value: 'terse' },
        { name: 'log_parameter_max_length', value: '0' },
      ]),
    );
  });

  test('PostgreSQL gets its administrator and settings long after its own deployment, one after another', () => {
    const waitsFor = (body: Value | undefined) =>
      (at(body, 'dependsOn') as Value[] | undefined)?.map((name) => at({ name }, 'name'));
    const settings = readFileSync(join(folder, 'main.bicep'), 'utf8').split('module postgresqlSettings')[1];
    expect(settings).toMatch(/dependsOn: \[\n {4}watching\n {2}\]/);
    const children = resources.filter(({ type }) => type.includes('flexibleServers/'));
    const [administrator, ...later] = children.map(({ symbol, body }) => [symbol, waitsFor(body)]);
    expect(administrator).toEqual(['administrator', undefined]);
    expect(later).toEqual([
      ['settings', ['administrator']],
      ['azureAddresses', ['settings']],
    ]);
    expect(template('modules/postgresql.bicep').resources.filter((each) => children.includes(each))).toEqual(
      [],
    );
  });

  test('PostgreSQL lets through Azure’s addresses at most, never the internet', () => {
    for (const { body } of ofType('Microsoft.DBforPostgreSQL/flexibleServers/firewallRules')) {
      expect(at(body, 'properties')).toEqual({ startIpAddress: '0.0.0.0', endIpAddress: '0.0.0.0' });
    }
  });

  test('Key Vault: roles instead of access policies, soft delete, an audit log', () => {
    const [vault] = ofType('Microsoft.KeyVault/vaults');
    expect(at(vault?.body, 'properties')).toMatchObject({
      enableRbacAuthorization: true,
      enableSoftDelete: true,
    });
    expect(at(vault?.body, 'properties.accessPolicies')).toBeUndefined();
    expect(at(vault?.body, 'properties.publicNetworkAccess')).toBe("isolated ? 'Disabled' : 'Enabled'");
    expect(resources.filter(({ type }) => type === 'Microsoft.KeyVault/vaults/secrets')).toEqual([]);
  });

  test('the portal: a site only where a plan is chosen, without previews; the app admits its origin and links to it', () => {
    const [site] = ofType('Microsoft.Web/staticSites');
    expect(at(site?.body, 'properties')).toMatchObject({
      allowConfigFileUpdates: true,
      stagingEnvironmentPolicy: 'Disabled',
    });
    const text = readFileSync(join(folder, 'main.bicep'), 'utf8');
    expect(text).toContain("module portal 'modules/portal.bicep' = if (!empty(portalSku)) {");
    const plan = main.parameters.find(({ name }) => name === 'portalSku')?.text ?? '';
    expect(plan).toMatch(/@allowed\(\[\s+''\s+'Free'\s+'Standard'\s+\]\)\nparam portalSku string = ''$/);
    const variable = (name: string) => at({ value: main.variables.get(name) ?? null }, 'value');
    expect(variable('siteUrl')).toBe("empty(portalSku) ? '' : portal!.outputs.url");
    expect(variable('origins')).toBe('filter([corsOrigins, siteUrl], each => !empty(each))');
    expect(at(own, 'CORS_ORIGINS')).toBe("join(origins, ',')");
    expect(at(own, 'PORTAL_URL')).toBe('empty(portalUrl) ? siteUrl : portalUrl');
    const origins = 'https://portal.example.org,https://calm-sea-01.azurestaticapps.net';
    expect(readConfig({ ...environment, CORS_ORIGINS: origins }).CORS_ORIGINS).toEqual(origins.split(','));
  });

  test('Web PubSub: only where a size is chosen, Entra tokens only, the app’s identity on this service alone', () => {
    const [service] = ofType('Microsoft.SignalRService/webPubSub');
    expect(at(service?.body, 'properties')).toMatchObject({ disableLocalAuth: true, disableAadAuth: false });
    const roles = template('modules/web-pubsub.bicep').resources.filter(({ type }) =>
      type.endsWith('roleAssignments'),
    );
    expect(roles.map(({ body }) => [at(body, 'scope'), at(body, 'properties.principalId')])).toEqual([
      ['service', 'appPrincipalId'],
    ]);
    const text = readFileSync(join(folder, 'main.bicep'), 'utf8');
    expect(text).toContain("module webPubSub 'modules/web-pubsub.bicep' = if (!empty(webPubSubSku)) {");
    const size = main.parameters.find(({ name }) => name === 'webPubSubSku')?.text ?? '';
    expect(size).toMatch(
      /@allowed\(\[\s+''\s+'Free_F1'\s+'Standard_S1'\s+\]\)\nparam webPubSubSku string = ''$/,
    );
    // The app reads an empty setting as none.
    expect(at(own, 'WEBPUBSUB_ENDPOINT')).toBe("empty(webPubSubSku) ? '' : webPubSub!.outputs.endpoint");
    const started = (endpoint: string) => readConfig({ ...environment, WEBPUBSUB_ENDPOINT: endpoint });
    expect(started('').WEBPUBSUB_ENDPOINT).toBeUndefined();
    const hosted = 'https://wps-dermagate-prod-abc.webpubsub.azure.com';
    expect(started(hosted).WEBPUBSUB_ENDPOINT).toContain(hosted);
    expect(() => started(hosted.replace('https', 'http'))).toThrow('WEBPUBSUB_ENDPOINT');
  });

  test('monitoring takes Entra tokens only', () => {
    expect(at(ofType('Microsoft.Insights/components')[0]?.body, 'properties.DisableLocalAuth')).toBe(true);
    expect(
      at(ofType('Microsoft.OperationalInsights/workspaces')[0]?.body, 'properties.features.disableLocalAuth'),
    ).toBe(true);
  });

  test('everything that holds data gets a private endpoint when isolated, and the app leaves through the network', () => {
    const groups = [...templates.values()]
      .flatMap(({ modules }) => modules)
      .filter(({ file }) => file.endsWith('private-endpoint.bicep'))
      .map(({ params }) => at(params, 'groupId'));
    expect(groups.map(String).toSorted()).toEqual(['blob', 'blob', 'postgresqlServer', 'queue', 'vault']);
    const [app] = ofType('Microsoft.Web/sites');
    expect(at(app?.body, 'properties.outboundVnetRouting.allTraffic')).toBe('!empty(appSubnetId)');
  });

  test('subnets are resources of their own, one after another: inline they would remove those that others add', () => {
    const [network] = ofType('Microsoft.Network/virtualNetworks');
    expect(at(network?.body, 'properties.subnets')).toBeUndefined();
    const subnets = ofType('Microsoft.Network/virtualNetworks/subnets');
    expect(subnets.map(({ body }) => at(body, 'name'))).toEqual(['app', 'private-endpoints', 'operations']);
    const waitsFor = subnets.map(({ body }) => at(body, 'dependsOn') as Value[] | undefined);
    expect(waitsFor.map((names) => names?.map((name) => at({ name }, 'name')))).toEqual([
      undefined,
      ...subnets.slice(0, -1).map(({ symbol }) => [symbol]),
    ]);
  });

  test('no template reads, accepts or returns a secret', () => {
    for (const { file, parameters, outputs } of templates.values()) {
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/\blist\w*\(|\.getSecret\(|reference\(/);
      for (const { name, secure } of parameters) {
        expect(secure, name).toBe(false);
        expect(name).not.toMatch(/password|secret(?!Names$)|token/i);
      }
      for (const { name } of outputs) expect(name).not.toMatch(/password|secret(?!Names$)|key$|token/i);
    }
  });

  test('roles are the narrow ones', () => {
    const ids = [...templates.values()].flatMap(({ variables }) =>
      [...variables.values()].filter(
        (value) => typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value),
      ),
    );
    // https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
    expect(new Set(ids)).toEqual(
      new Set([
        'b7e6dc6d-f1e8-4753-8033-0f276bb0955b', // Storage Blob Data Owner, on the host's own account
        '974c5e8b-45b9-4653-ba55-5f855dd0fb88', // Storage Queue Data Contributor, likewise
        'ba92f5b4-2d11-453d-a403-e96b0029c9fe', // Storage Blob Data Contributor, on one container
        '3913510d-42f4-4e42-8a64-420c390055eb', // Monitoring Metrics Publisher
        '4633458b-17de-408a-b874-0445c86b69e6', // Key Vault Secrets User
        '12cf5a90-567b-43ae-8102-96cf46c7d9b4', // Web PubSub Service Owner, the only one that may publish
        'b86a8fe4-44ce-4948-aee5-eccb2c155cd7', // Key Vault Secrets Officer, for those who deploy
      ]),
    );
    const images = template('modules/image-storage.bicep').resources.find(({ type }) =>
      type.endsWith('roleAssignments'),
    );
    expect(at(images?.body, 'scope')).toBe('images');
  });
});

const functionApp = main.modules.find(({ symbol }) => symbol === 'functionApp');
const own = at(functionApp?.params, 'appSettings') as Record<string, Value>;
/** The objects in which main.bicep maps settings to secrets, whichever branch is taken. */
const secretSettings = [
  ...readFileSync(join(folder, 'main.bicep'), 'utf8').matchAll(/([A-Z][A-Z_]+): '([a-z-]+)'/g),
].map(([, key = '', name = '']) => [key, name] as const);

const filled = (value: Value): string => {
  if (typeof value === 'string') return value;
  if (!isExpression(value)) return '';
  return value.expression.startsWith("'")
    ? value.expression.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'x')
    : '';
};
const example: Record<string, string> = {
  PG_POOL_MAX: '8',
  AI_SERVICE_URL: 'https://ai.example.org',
  ELIGIBILITY_SERVICE_URL: 'https://members.example.org',
  STORAGE_ACCOUNT_URL: 'https://images.blob.core.windows.net/',
  STORAGE_CONTAINER: 'images',
  CORS_ORIGINS: 'https://portal.example.org',
  SELF_REGISTRATION_ROLES: 'patient',
  ALLOW_PHYSICIAN_SELF_REGISTRATION: 'false',
  PORTAL_URL: 'https://portal.example.org',
  MAIL_FROM: 'no-reply@example.org',
  EMERGENCY_NUMBER: '112',
  CRISIS_LINE: '116 123',
  TRUSTED_PROXY_HOPS: '1',
  LOG_LEVEL: 'info',
  SECRET_KEY: 'cS1zWq0bV7uYt3nRk9mLx5pEj2hGf8aD4oI6wQvBzN0=',
  PASSWORD_PEPPER: 'Zk3vT8qLw1xRy6uNp0sMd7jHe5bFg2cVa9iKo4tXzQ8=',
  FIELD_ENCRYPTION_KEY: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  AI_SERVICE_KEY: 'a-key',
  ELIGIBILITY_SERVICE_KEY: 'a-key-of-theirs',
  MAIL_URL: 'smtps://user:pass@mail.example.org:465',
};
const environment = Object.fromEntries([
  ...Object.entries(own).map(([key, value]) => [key, filled(value) || example[key]]),
  ...secretSettings.filter(([key]) => !key.endsWith('_PREVIOUS')).map(([key]) => [key, example[key]]),
]) as Record<string, string>;

describe('settings', () => {
  const platform = template('modules/function-app.bicep').variables.get('platformSettings') as Record<
    string,
    Value
  >;
  test('are keys of the app’s configuration, or known to the platform', () => {
    const known = new Set(Object.keys(Environment.shape));
    for (const key of [...Object.keys(own), ...secretSettings.map(([key]) => key)])
      expect(known).toContain(key);
    expect(Object.keys(platform)).toEqual([
      'AzureWebJobsStorage__blobServiceUri',
      'AzureWebJobsStorage__queueServiceUri',
      'AzureWebJobsStorage__credential',
      'AzureWebJobsStorage__clientId',
      'APPLICATIONINSIGHTS_CONNECTION_STRING',
      'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
      'AZURE_CLIENT_ID',
      'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT',
    ]);
  });

  test('a body may be as large as every endpoint takes it, on a laptop as in the cloud', () => {
    const limit = Number(platform['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT']);
    const largest = endpoints.map(({ multipart, bodyLimit = 0 }) =>
      Math.max(multipart?.maxBytes ?? 0, bodyLimit),
    );
    expect(limit).toBeGreaterThan(Math.max(...largest));
    expect(Number(hostSettings.FUNCTIONS_REQUEST_BODY_SIZE_LIMIT)).toBe(limit);
  });

  test('that are given as DERMAGATE_SETTINGS are all others, replace none of the template, and are no secrets', () => {
    const ofTemplate = [...Object.keys(own), ...secretSettings.map(([key]) => key), ...Object.keys(platform)];
    expect(settableKeys.filter((key) => ofTemplate.includes(key))).toEqual([]);
    const neither = Object.keys(Environment.shape).filter(
      (key) => !settableKeys.includes(key) && !ofTemplate.includes(key),
    );
    expect(neither.toSorted()).toEqual([
      'AZURE_FUNCTIONS_ENVIRONMENT',
      'STORAGE_CONNECTION_STRING',
      'WEBPUBSUB_CONNECTION_STRING',
    ]);
    expect(
      settableKeys.filter((key) => /KEY|SECRET|PEPPER|CONNECTION_STRING|MAIL_URL|SERVICE_ACCOUNT/.test(key)),
    ).toEqual([]);
    const settings = template('modules/function-app.bicep').resources.find(
      ({ type, body }) => type === 'Microsoft.Web/sites/config' && body['name'] === 'appsettings',
    );
    expect(at(settings?.body, 'properties')).toBe(
      'union(extraSettings, platformSettings, appSettings, secretSettings)',
    );
    expect(at(functionApp?.params, 'extraSettings')).toBe('extraSettings');
  });

  test('that are secrets come from the Key Vault and nowhere else', () => {
    const secret = /KEY|SECRET|PEPPER|PASSWORD|TOKEN|CONNECTION_STRING|MAIL_URL|SERVICE_ACCOUNT/;
    expect(Object.keys(own).filter((key) => secret.test(key))).toEqual([]);
    expect(secretSettings.filter(([key]) => !secret.test(key))).toEqual([]);
    expect(secretSettings.map(([, name]) => name).toSorted()).toEqual([
      'ai-service-key',
      'eligibility-service-key',
      'fcm-service-account',
      'field-encryption-key',
      'field-encryption-key-previous',
      'mail-url',
      'password-pepper',
      'secret-key',
      'secret-key-previous',
      'vapid-private-key',
    ]);
    expect(
      at(template('modules/function-app.bicep').variables.get('secretSettings'), 'expression'),
    ).toContain('@Microsoft.KeyVault(SecretUri=${vaultUri}secrets/');
  });

  test('are all that production needs to start', () => {
    expect(readConfig(environment)).toMatchObject({ production: true, SELF_REGISTRATION_ROLES: ['patient'] });
    expect(() => readConfig({ ...environment, DATABASE_URL: '' })).toThrow('DATABASE_URL is required');
  });

  test('name the database by its identity, without a password, with the certificate checked', () => {
    const url = new URL(environment['DATABASE_URL'] ?? '');
    expect(url.password).toBe('');
    expect(url.searchParams.get('sslmode')).toBe('verify-full');
    expect(at(own, 'DATABASE_URL')).toContain('${identity.name}@${postgresql.outputs.host}');
  });

  test('leave out what Flex Consumption refuses', () => {
    const text = [...templates.keys()]
      .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(/\/\/.*$/gm, ''))
      .join('\n');
    expect(text).not.toMatch(
      /FUNCTIONS_WORKER_RUNTIME|FUNCTIONS_EXTENSION_VERSION|WEBSITE_|linuxFxVersion|alwaysOn/,
    );
  });
});

describe.each(parameterFiles(folder).map((file) => basename(file)))('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const given = new Map(
    [...text.matchAll(/^param (\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  /** As given here, or by default. */
  const value = (name: string) =>
    given.get(name) ??
    main.parameters.find((parameter) => parameter.name === name)?.text.replace(/^.* = /s, '') ??
    '';

  test('gives every parameter that has no default, and none that there is not', () => {
    const required = main.parameters.filter(({ hasDefault }) => !hasDefault).map(({ name }) => name);
    expect([...given.keys()]).toEqual(expect.arrayContaining(required));
    const known = new Set(main.parameters.map(({ name }) => name));
    for (const name of given.keys()) expect(known).toContain(name);
  });

  test('gives values that are allowed', () => {
    for (const [name, text] of given) {
      const declaration = main.parameters.find((parameter) => parameter.name === name)?.text ?? '';
      const allowed = /@allowed\(\[([^\]]*)\]\)/.exec(declaration)?.[1]?.split(/\s+/).filter(Boolean);
      if (allowed !== undefined && !text.includes('(')) expect(allowed, name).toContain(text);
      const number = /^\d+$/.test(text) ? Number(text) : undefined;
      if (number === undefined) continue;
      expect(number, name).toBeGreaterThanOrEqual(Number(/@minValue\((-?\d+)\)/.exec(declaration)?.[1] ?? 0));
      expect(number, name).toBeLessThanOrEqual(Number(/@maxValue\((\d+)\)/.exec(declaration)?.[1] ?? number));
    }
  });

  test('grants every instance at least two connections, and all together no more than 80 %', () => {
    const sizes = main.variables.get('postgresSizes') as Record<
      string,
      { connections: number; tier: string }
    >;
    const size = sizes[value('postgresSkuName').replaceAll("'", '')];
    const instances = Number(value('maximumInstanceCount')) + Number(value('alwaysReadyInstances')) + 1;
    const connections = size?.connections ?? 0;
    const pool = Math.min(10, Math.floor(Math.floor((connections * 80) / 100) / instances));
    expect(pool).toBeGreaterThanOrEqual(2);
    expect(pool * instances).toBeLessThanOrEqual(connections * 0.8);
    // The same arithmetic as the template's.
    expect(at({ pool: main.variables.get('poolSize') ?? null }, 'pool')).toBe(
      'min(10, postgresConnections * 80 / 100 / instances)',
    );
    expect(at({ instances: main.variables.get('instances') ?? null }, 'instances')).toBe(
      'maximumInstanceCount + alwaysReadyInstances + 1',
    );
    if (value('postgresHighAvailability') !== "'Disabled'") expect(size?.tier).not.toBe('Burstable');
  });

  /** What the parameter has in Bicep: here, of the environment by its fallback, or by default. */
  function parameter(name: string): string | string[] | undefined {
    const given = value(name);
    const fallback = /^(?:int\()?readEnvironmentVariable\('\w+'(?:, '([^']*)')?\)\)?$/.exec(given);
    if (fallback !== null) return fallback[1];
    if (given.startsWith('[')) return [...given.matchAll(/'([^']*)'/g)].map(([, item = '']) => item);
    return given.replace(/^'(.*)'$/s, '$1');
  }

  /** The settings that are made of parameters alone, as the template makes them. */
  function settings(): Record<string, string> {
    const made = Object.entries(own).map(([key, setting]): [string, string | undefined] => {
      const text = isExpression(setting) ? setting.expression : '';
      const [, name = ''] =
        /^(?:string\(|join\()?(\w+)(?:\)|, ','\)| \? 'true' : 'false')?$/.exec(text) ?? [];
      if (!main.parameters.some((each) => each.name === name)) return [key, undefined];
      return [key, String(parameter(name) ?? '')];
    });
    return Object.fromEntries(made.filter((entry): entry is [string, string] => Boolean(entry[1])));
  }

  test('gives an app that production lets start', () => {
    const made = settings();
    expect(Object.keys(made)).toEqual(
      expect.arrayContaining([
        'SELF_REGISTRATION_ROLES',
        'ALLOW_PHYSICIAN_SELF_REGISTRATION',
        'LOG_LEVEL',
        'EMERGENCY_NUMBER',
      ]),
    );
    expect(readConfig({ ...environment, ...made }).production).toBe(true);
    const front = { FRONT_DOOR_ID: '55ce4ed1-4b06-4bf1-b40e-4638452104da', TRUSTED_PROXY_HOPS: '2' };
    expect(readConfig({ ...environment, ...made, ...front }).production).toBe(true);
  });

  test('stores copies of deleted images and backups no longer than npm run erase-user reports', () => {
    // The lifecycle deletes a version two or three days late, and the soft delete counts from then on.
    expect(Number(value('imageRetentionDays')) + 3).toBeLessThanOrEqual(deletedImagesGoneAfterDays);
    expect(Number(value('postgresBackupDays'))).toBeLessThanOrEqual(backupsGoneAfterDays);
  });

  test('concurrent bodies of the largest size take an eighth of the memory at most', () => {
    const platform = template('modules/function-app.bicep').variables.get('platformSettings');
    const bodyLimit = Number(at(platform, 'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT'));
    const memoryMB = Number(value('instanceMemoryMB'));
    const concurrency = Number(value('httpConcurrency'));
    expect(concurrency).toBeGreaterThan(0);
    expect(bodyLimit).toBeGreaterThan(0);
    // The host stores a body four to seven times in memory: 240 MB of bodies worked on 2 GB, 320 MB ended the host now and then.
    expect(concurrency * bodyLimit).toBeLessThanOrEqual((memoryMB / 8) * 1024 * 1024);
    // The template holds to it as well when other parameters are given on the command line.
    const app = template('modules/function-app.bicep').resources.find(
      ({ type }) => type === 'Microsoft.Web/sites',
    );
    const path = 'properties.functionAppConfig.scaleAndConcurrency.triggers.http.perInstanceConcurrency';
    expect(at(app?.body, path)).toBe('min(httpConcurrency, instanceMemoryMB / 192)');
    for (const allowedMB of [512, 2048, 4096]) {
      expect(Math.floor(allowedMB / 192) * bodyLimit).toBeLessThanOrEqual((allowedMB / 8) * 1024 * 1024);
    }
  });

  test('requests of event streams are held in two fifths of the concurrency at most', () => {
    expect(at(own, 'SSE_MAX_CONNECTIONS')).toBe(
      'string(min(httpConcurrency, instanceMemoryMB / 192) * 2 / 5)',
    );
    // Where nothing is set, as on a laptop.
    const byDefault = Environment.shape.SSE_MAX_CONNECTIONS.parse(undefined);
    expect(byDefault).toBeLessThanOrEqual((Number(value('httpConcurrency')) * 2) / 5);
    expect(byDefault).toBeGreaterThan(0);
  });

  test('reads from the environment only what deploy.sh explains or finds out', () => {
    const script = ['deploy.sh', 'deploy/provision.sh', 'deploy/secrets.sh']
      .map((part) => readFileSync(join(folder, part), 'utf8'))
      .join('\n');
    const read = [...text.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name = '']) => name);
    expect(read.length).toBeGreaterThan(5);
    for (const name of read) {
      expect(script, name).toMatch(
        new RegExp(`^  ${name}|^  DERMAGATE_ADMIN_OBJECT_ID, .*${name}|export .*${name}`, 'm'),
      );
    }
  });
});

test('no environment can be configured to store copies of deleted images, or backups, for longer', () => {
  const limits = templatesWith('imageRetentionDays|retentionDays|postgresBackupDays|backupRetentionDays');
  expect(limits.length).toBeGreaterThanOrEqual(4);
  for (const { file, name, maximum } of limits) {
    if (file === 'modules/monitoring.bicep') continue;
    const promised = /image|^retention/.test(name) ? deletedImagesGoneAfterDays - 3 : backupsGoneAfterDays;
    expect([file, name, maximum <= promised]).toEqual([file, name, true]);
  }
});

/** Parameters of that name in all templates, with the largest value that they take. */
function templatesWith(names: string) {
  return [...templates].flatMap(([file, { parameters }]) =>
    parameters
      .filter(({ name }) => new RegExp(`^(?:${names})$`).test(name))
      .map(({ name, text }) => ({
        file,
        name,
        maximum: Number(/@maxValue\((\d+)\)/.exec(text)?.[1] ?? Infinity),
      })),
  );
}

describe.each(['dev', 'prod'])('the %s parameters', (env) => {
  const text = readFileSync(join(folder, `${env}.bicepparam`), 'utf8');

  test('let patients register, and no physicians', () => {
    expect(text).toContain("param selfRegistrationRoles = ['patient']\n");
    expect(text).not.toMatch(/^param allow/m);
  });
});

describe('the production parameters', () => {
  const text = readFileSync(join(folder, 'prod.bicepparam'), 'utf8');
  test.each([
    ['networkIsolation = true'],
    ['vaultPurgeProtection = true'],
    ["postgresHighAvailability = 'ZoneRedundant'"],
    ['postgresGeoRedundantBackup = true'],
    ["imageStorageSkuName = 'Standard_ZRS'"],
  ])('%s', (setting) => expect(text).toContain(`param ${setting}\n`));

  test('keep an instance always ready and test from at least five locations', () => {
    expect(text).toMatch(/alwaysReadyInstances = [1-9]/);
    expect(/availabilityLocations = \[(.*)\]/.exec(text)?.[1]?.split(',').length).toBeGreaterThanOrEqual(5);
  });
});

test('deploy.sh reads outputs that main.bicep has', () => {
  const script = readFileSync(join(folder, 'deploy', 'provision.sh'), 'utf8');
  const names = /local names='([^']+)'/.exec(script)?.[1]?.split(' ') ?? [];
  const read = [
    ...names,
    ...[...script.matchAll(/properties\.outputs\.(\w+)\.value/g)].map(([, name = '']) => name),
    ...[...script.matchAll(/properties\.outputs\.\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      list.split(', ').map((each) => each.replace('.value', '')),
    ),
  ];
  expect(read).toEqual(expect.arrayContaining(['appName', 'eligibilityServiceUrl', 'portalSku']));
  expect(read.length).toBeGreaterThan(10);
  for (const name of read) expect(main.outputs.map((output) => output.name)).toContain(name);
});

test('deploy.sh knows every secret of a feature that may be off, and by which setting it is on', () => {
  const script = readFileSync(join(folder, 'deploy', 'secrets.sh'), 'utf8');
  const known = [...script.matchAll(/^ {4}([\w-]+)\) .*(?:DERMAGATE_\w+|aiServiceKeyRequired)/gm)].map(
    ([, name = '']) => name,
  );
  const always = ['secret-key', 'password-pepper', 'field-encryption-key'];
  const optional = secretSettings
    .map(([, name]) => name)
    .filter((name) => !always.includes(name) && !name.endsWith('-previous'));
  expect(known.toSorted()).toEqual(optional.toSorted());
});

test('the practice of a restore in docs/operations.md gives the module of the server’s settings all its parameters, and does not deploy', () => {
  const practice = blocksOf('docs/operations.md').find(({ text }) => text.includes('rg-dermagate-practice'));
  const [, given = ''] =
    /--template-file infra\/(?:modules\/postgresql-settings\.bicep) --parameters ((?:.*\\\n)*.*)/.exec(
      practice?.text ?? '',
    ) ?? [];
  const names = [...given.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
  const module = template('modules/postgresql-settings.bicep').parameters.map(({ name }) => name);
  expect(names.toSorted()).toEqual(module.toSorted());
  expect(practice?.text).not.toContain('deploy.sh');
});

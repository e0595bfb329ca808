metadata description = 'Dermagate on Azure: function app on Flex Consumption, PostgreSQL, Blob storage, Key Vault and monitoring, without a password or key in any template, setting or output. Deployed by deploy.sh.'

targetScope = 'resourceGroup'

@description('Azure region of all resources. It must offer Flex Consumption: az functionapp list-flexconsumption-locations')
param location string = resourceGroup().location

@description('Name of the environment; part of every resource name.')
@allowed([
  'dev'
  'prod'
])
param environmentName string

@description('Object id of the deploying identity, preferably a group. It owns the database and may write secrets.')
@minLength(36)
@maxLength(36)
param administratorObjectId string

@description('Name of the deploying identity in PostgreSQL: user principal name, group name or application name.')
@minLength(1)
param administratorName string

@description('Kind of the deploying identity.')
@allowed([
  'User'
  'Group'
  'ServicePrincipal'
])
param administratorType string

@description('Base address of the AI service.')
@minLength(8)
param aiServiceUrl string

@description('Whether the AI service requires a bearer token, the secret ai-service-key.')
param aiServiceKeyRequired bool = true

@description('Base address of the service that knows who may submit cases, which is called with the secret eligibility-service-key; empty: none is asked.')
param eligibilityServiceUrl string = ''

@description('Base address of links in mails: https address of the portal; empty: the site of portalSku.')
param portalUrl string = ''

@description('Base address of links in mails to staff; empty: the portal’s.')
param backofficeUrl string = ''

@description('Whom push services of browsers may contact, a mailto: or https: address, with the secret vapid-private-key; empty: browsers get no push messages.')
param vapidSubject string = ''

@description('Whether phones get push messages by Firebase Cloud Messaging, with the secret fcm-service-account.')
param fcmEnabled bool = false

@description('Size of Azure Web PubSub, which carries the live counts of the back office: Free_F1 for trials, Standard_S1 for clinics; empty: none, and back offices poll.')
@allowed([
  ''
  'Free_F1'
  'Standard_S1'
])
param webPubSubSku string = ''

@description('Plan of an Azure Static Web App for the portal: Free or Standard; empty: none. The app admits its origin.')
@allowed([
  ''
  'Free'
  'Standard'
])
param portalSku string = ''

@description('Region that manages the portal’s site: Static Web Apps offers only some.')
@allowed([
  'centralus'
  'eastasia'
  'eastus2'
  'westeurope'
  'westus2'
])
param portalLocation string = 'westeurope'

@description('Origins of browser apps that may call, separated by commas; empty for none.')
param corsOrigins string = ''

@description('Sender of all mails, which the server in the secret mail-url delivers; empty: no mail is sent.')
param mailFrom string = ''

@description('Roles that anyone may register with; empty counts as not set, which is `patient`. `npm run create-admin` or an invitation creates admins.')
param selfRegistrationRoles ('patient' | 'physician')[] = ['patient']

@description('Lets anyone register as a physician; the app does not start without it if selfRegistrationRoles contains `physician`.')
param allowPhysicianSelfRegistration bool = false

@description('Telephone number of the emergency services, shown to patients.')
@minLength(2)
@maxLength(20)
param emergencyNumber string = '112'

@description('Telephone number of a crisis line, shown at risk of self-harm; empty: none is shown.')
@maxLength(20)
param crisisLine string = ''

@description('Front Door ID of the only Azure Front Door profile that may forward requests to the app; empty: clients reach the app directly.')
@maxLength(36)
param frontDoorId string = ''

@description('Public address of the app without a trailing slash, also for availability tests; empty: its own address. Required with frontDoorId.')
param publicUrl string = ''

@description('Further settings of the app by key, as texts: limits, for example. None of those that the template sets, and no secret.')
param extraSettings object = {}

@description('Lowest severity that is logged. Alerts and workbook need the `info` lines.')
@allowed([
  'debug'
  'info'
])
param logLevel string = 'info'

@description('Secrets whose previous value (`…-previous`) is still valid during a rotation: secret-key, field-encryption-key, separated by commas.')
param rotatedSecretNames string = ''

@description('Memory of an instance in MB, which also determines its CPU (2048: one core).')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int = 2048

@description('Maximum number of instances that answer requests beside those that are always ready, at least 40. The PostgreSQL size must grant each instance connections.')
@minValue(40)
@maxValue(1000)
param maximumInstanceCount int = 40

@description('Always-ready instances, so that no request waits for a start; 0 scales to zero.')
@minValue(0)
@maxValue(20)
param alwaysReadyInstances int = 0

@description('Concurrent requests per instance; beyond that the platform starts another. At most one per 192 MB of memory: more bodies of the largest size would crash the host.')
@minValue(1)
@maxValue(32)
param httpConcurrency int = 10

@description('Name of the PostgreSQL server; empty for the default. After a restore, the name of the restored server.')
param postgresServerName string = ''

@description('Major version of PostgreSQL.')
@allowed([
  '16'
  '17'
  '18'
])
param postgresVersion string = '18'

@description('Size of the PostgreSQL server. B1ms is missing: its 35 connections do not serve 40 instances.')
@allowed([
  'Standard_B2s'
  'Standard_B2ms'
  'Standard_D2ds_v5'
  'Standard_D4ds_v5'
  'Standard_D8ds_v5'
])
param postgresSkuName string = 'Standard_B2s'

@description('Initial PostgreSQL storage in GB; it grows automatically.')
@minValue(32)
@maxValue(32767)
param postgresStorageGB int = 32

@description('Current storage in GB, determined by deploy.sh: storage never shrinks, and a deployment with less fails.')
@minValue(0)
@maxValue(32767)
param postgresStorageGrownToGB int = 0

@description('Standby of the PostgreSQL server; Burstable sizes (B…) do not support one.')
@allowed([
  'Disabled'
  'SameZone'
  'ZoneRedundant'
])
param postgresHighAvailability string = 'Disabled'

@description('Days for which the database can be restored to any second.')
@minValue(7)
@maxValue(35)
param postgresBackupDays int = 7

@description('Stores database backups in the paired region too. Takes effect only when the server is created.')
param postgresGeoRedundantBackup bool = false

@description('Replication of images: Standard_ZRS stores three copies in different zones, Standard_GZRS also one in the paired region.')
@allowed([
  'Standard_LRS'
  'Standard_ZRS'
  'Standard_GZRS'
])
param imageStorageSkuName string = 'Standard_LRS'

@description('Days for which deleted images can be restored. They are gone at most three days later: 14 in all, as npm run erase-user promises.')
@minValue(7)
@maxValue(11)
param imageRetentionDays int = 11

@description('Puts database, storage and Key Vault behind private endpoints, reachable only from the app’s network. deploy.sh must then run inside it.')
param networkIsolation bool = false

@description('Address space of the network in CIDR notation, at least a /22.')
param networkAddressPrefix string = '10.40.0.0/22'

@description('Refuses to purge a deleted vault or secret before its 90 days are over. Irreversible.')
param vaultPurgeProtection bool = false

@description('Retention of logs, traces and metrics in days; the first 31 are free.')
@minValue(30)
@maxValue(730)
param logRetentionDays int = 31

@description('Maximum gigabytes of logs per day; -1 for no limit.')
@minValue(-1)
param logDailyCapGB int = 1

@description('Sends the Functions host’s log to the workspace too: twice the volume; for diagnosing an app that does not start.')
param hostLogEnabled bool = false

@description('Email addresses that receive alerts.')
@minLength(1)
param alertEmails string[]

@description('Seconds between two availability tests from one location. Each test costs money.')
@allowed([
  300
  600
  900
])
param availabilityFrequencySeconds int = 900

@description('Locations of availability tests, at least three.')
@minLength(3)
@maxLength(16)
param availabilityLocations string[] = ['emea-nl-ams-azr', 'emea-gb-db3-azr', 'emea-fr-pra-edge']

@description('Monthly budget of the resource group in the currency of the subscription; beyond it an alert is sent.')
@minValue(1)
param monthlyBudget int

@description('First day of the budget. deploy.sh passes that of an existing budget, which cannot be changed.')
param budgetStartDate string = utcNow('yyyy-MM-01')

var uniqueSuffix = uniqueString(resourceGroup().id)
var nameSuffix = 'dermagate-${environmentName}-${uniqueSuffix}'
var tags = {
  application: 'dermagate'
  environment: environmentName
}
var databaseName = 'dermagate'

// Azure’s front end is one proxy, Front Door the other. No other proxy counts: the app could not tell whether a request passed it.
var trustedProxyHops = empty(frontDoorId) ? 1 : 2
var appUrl = empty(publicUrl) ? functionApp.outputs.url : publicUrl

var siteUrl = empty(portalSku) ? '' : portal!.outputs.url
// A custom domain of the portal is in corsOrigins; the site has its own address as well.
var origins = filter([corsOrigins, siteUrl], each => !empty(each))

// Connections that PostgreSQL grants to users, by size: https://learn.microsoft.com/azure/postgresql/configure-maintain/concepts-limits
var postgresSizes = {
  Standard_B2s: { tier: 'Burstable', connections: 414 }
  Standard_B2ms: { tier: 'Burstable', connections: 844 }
  Standard_D2ds_v5: { tier: 'GeneralPurpose', connections: 844 }
  Standard_D4ds_v5: { tier: 'GeneralPurpose', connections: 1703 }
  Standard_D8ds_v5: { tier: 'GeneralPurpose', connections: 3422 }
}
var postgresConnections = postgresSizes[postgresSkuName].connections

// The plan’s maximum is one of each group of functions, always-ready instances come on top, and the function of the timers
// is a group of one instance: https://learn.microsoft.com/azure/azure-functions/flex-consumption-plan#per-function-scaling
var instances = maximumInstanceCount + alwaysReadyInstances + 1

// All instances together never use more than 80 %: the rest is for deployments and operators. An impossible
// combination results in 0, with which the app refuses to start.
var poolSize = min(10, postgresConnections * 80 / 100 / instances)

var requiredSecretNames = {
  SECRET_KEY: 'secret-key'
  PASSWORD_PEPPER: 'password-pepper'
  FIELD_ENCRYPTION_KEY: 'field-encryption-key'
}
var aiSecretNames = aiServiceKeyRequired ? { AI_SERVICE_KEY: 'ai-service-key' } : {}
var eligibilitySecretNames = empty(eligibilityServiceUrl) ? {} : { ELIGIBILITY_SERVICE_KEY: 'eligibility-service-key' }
var mailSecretNames = empty(mailFrom) ? {} : { MAIL_URL: 'mail-url' }
var pushSecretNames = union(empty(vapidSubject) ? {} : { VAPID_PRIVATE_KEY: 'vapid-private-key' }, fcmEnabled ? { FCM_SERVICE_ACCOUNT: 'fcm-service-account' } : {})
var previousKeySecretNames = contains(split(rotatedSecretNames, ','), 'secret-key') ? { SECRET_KEY_PREVIOUS: 'secret-key-previous' } : {}
var previousFieldKeySecretNames = contains(split(rotatedSecretNames, ','), 'field-encryption-key') ? { FIELD_ENCRYPTION_KEY_PREVIOUS: 'field-encryption-key-previous' } : {}
var secretNames = union(requiredSecretNames, aiSecretNames, eligibilitySecretNames, mailSecretNames, pushSecretNames, previousKeySecretNames, previousFieldKeySecretNames)

// User-assigned, so that its roles exist before the app first starts.
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: 'id-${nameSuffix}'
  location: location
  tags: tags
}

module monitoring 'modules/monitoring.bicep' = {
  name: 'monitoring'
  params: {
    location: location
    nameSuffix: nameSuffix
    tags: tags
    retentionDays: logRetentionDays
    dailyCapGB: logDailyCapGB
    appPrincipalId: identity.properties.principalId
  }
}

module network 'modules/network.bicep' = if (networkIsolation) {
  name: 'network'
  params: {
    location: location
    nameSuffix: nameSuffix
    tags: tags
    addressPrefix: networkAddressPrefix
  }
}

var endpointSubnetId = networkIsolation ? network!.outputs.endpointSubnetId : ''
var blobZoneId = networkIsolation ? network!.outputs.blobZoneId : ''

module hostStorage 'modules/host-storage.bicep' = {
  name: 'host-storage'
  params: {
    location: location
    accountName: 'sthost${uniqueSuffix}'
    tags: tags
    appPrincipalId: identity.properties.principalId
    endpointSubnetId: endpointSubnetId
    blobZoneId: blobZoneId
    queueZoneId: networkIsolation ? network!.outputs.queueZoneId : ''
  }
}

module imageStorage 'modules/image-storage.bicep' = {
  name: 'image-storage'
  params: {
    location: location
    accountName: 'stimages${uniqueSuffix}'
    tags: tags
    skuName: imageStorageSkuName
    retentionDays: imageRetentionDays
    appPrincipalId: identity.properties.principalId
    endpointSubnetId: endpointSubnetId
    blobZoneId: blobZoneId
    workspaceId: monitoring.outputs.workspaceId
  }
}

module keyVault 'modules/key-vault.bicep' = {
  name: 'key-vault'
  params: {
    location: location
    vaultName: 'kv-${environmentName}-${uniqueSuffix}'
    tags: tags
    purgeProtection: vaultPurgeProtection
    appPrincipalId: identity.properties.principalId
    administratorObjectId: administratorObjectId
    administratorType: administratorType
    endpointSubnetId: endpointSubnetId
    vaultZoneId: networkIsolation ? network!.outputs.vaultZoneId : ''
    workspaceId: monitoring.outputs.workspaceId
  }
}

module postgresql 'modules/postgresql.bicep' = {
  name: 'postgresql'
  params: {
    location: location
    serverName: empty(postgresServerName) ? 'psql-${nameSuffix}' : postgresServerName
    tags: tags
    version: postgresVersion
    skuName: postgresSkuName
    skuTier: postgresSizes[postgresSkuName].tier
    storageSizeGB: max(postgresStorageGB, postgresStorageGrownToGB)
    highAvailability: postgresHighAvailability
    backupRetentionDays: postgresBackupDays
    geoRedundantBackup: postgresGeoRedundantBackup
    isolated: networkIsolation
    workspaceId: monitoring.outputs.workspaceId
  }
}

module webPubSub 'modules/web-pubsub.bicep' = if (!empty(webPubSubSku)) {
  name: 'web-pubsub'
  params: {
    location: location
    serviceName: 'wps-${nameSuffix}'
    tags: tags
    skuName: webPubSubSku
    appPrincipalId: identity.properties.principalId
    workspaceId: monitoring.outputs.workspaceId
  }
}

module portal 'modules/portal.bicep' = if (!empty(portalSku)) {
  name: 'portal'
  params: {
    location: portalLocation
    siteName: 'stapp-${environmentName}-${uniqueSuffix}'
    tags: tags
    skuName: portalSku
  }
}

module functionApp 'modules/function-app.bicep' = {
  name: 'function-app'
  params: {
    location: location
    appName: 'func-${nameSuffix}'
    planName: 'plan-${nameSuffix}'
    tags: tags
    identityId: identity.id
    identityClientId: identity.properties.clientId
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    httpConcurrency: httpConcurrency
    packageContainerUrl: hostStorage.outputs.packageContainerUrl
    hostBlobUrl: hostStorage.outputs.blobEndpointUrl
    hostQueueUrl: hostStorage.outputs.queueEndpointUrl
    applicationInsightsConnectionString: monitoring.outputs.connectionString
    vaultUri: keyVault.outputs.vaultUri
    appSettings: {
      // No password: the app authenticates with an Entra token. `require` would not verify the server’s certificate.
      DATABASE_URL: 'postgresql://${identity.name}@${postgresql.outputs.host}:5432/${databaseName}?sslmode=verify-full'
      PG_POOL_MAX: string(poolSize)
      PG_USER_CONNECTIONS: string(postgresConnections)
      MAX_INSTANCES: string(instances)
      AI_SERVICE_URL: aiServiceUrl
      ELIGIBILITY_SERVICE_URL: eligibilityServiceUrl
      STORAGE_ACCOUNT_URL: imageStorage.outputs.blobEndpointUrl
      STORAGE_CONTAINER: imageStorage.outputs.containerName
      CORS_ORIGINS: join(origins, ',')
      SELF_REGISTRATION_ROLES: join(selfRegistrationRoles, ',')
      // Not string(), which returns `True`.
      ALLOW_PHYSICIAN_SELF_REGISTRATION: allowPhysicianSelfRegistration ? 'true' : 'false'
      PORTAL_URL: empty(portalUrl) ? siteUrl : portalUrl
      BACKOFFICE_URL: backofficeUrl
      VAPID_SUBJECT: vapidSubject
      WEBPUBSUB_ENDPOINT: empty(webPubSubSku) ? '' : webPubSub!.outputs.endpoint
      MAIL_FROM: mailFrom
      EMERGENCY_NUMBER: emergencyNumber
      CRISIS_LINE: crisisLine
      // Two fifths of the concurrency that function-app.bicep sets: uploads share it.
      SSE_MAX_CONNECTIONS: string(min(httpConcurrency, instanceMemoryMB / 192) * 2 / 5)
      TRUSTED_PROXY_HOPS: string(trustedProxyHops)
      FRONT_DOOR_ID: frontDoorId
      LOG_LEVEL: logLevel
    }
    extraSettings: extraSettings
    secretNames: secretNames
    frontDoorId: frontDoorId
    appSubnetId: networkIsolation ? network!.outputs.appSubnetId : ''
    workspaceId: monitoring.outputs.workspaceId
    hostLogEnabled: hostLogEnabled
  }
}

module watching 'modules/watching.bicep' = {
  name: 'watching'
  params: {
    location: location
    nameSuffix: nameSuffix
    tags: tags
    alertEmails: alertEmails
    appUrl: appUrl
    availabilityFrequencySeconds: availabilityFrequencySeconds
    availabilityLocations: availabilityLocations
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    workspaceId: monitoring.outputs.workspaceId
    postgresServerId: postgresql.outputs.serverId
    postgresMaxConnections: postgresConnections
    monthlyBudget: monthlyBudget
    budgetStartDate: budgetStartDate
  }
}

// Last of all, and not right after the server: it stays busy for a while after its own deployment, also a repeated one,
// and then refuses its administrator and settings (Azure/azure-postgresql#127 and #134). deploy.sh retries if it is
// refused all the same.
module postgresqlSettings 'modules/postgresql-settings.bicep' = {
  name: 'postgresql-settings'
  params: {
    location: location
    serverName: postgresql.outputs.serverName
    tags: tags
    administratorObjectId: administratorObjectId
    administratorName: administratorName
    administratorType: administratorType
    endpointSubnetId: endpointSubnetId
    postgresZoneId: networkIsolation ? network!.outputs.postgresZoneId : ''
  }
  dependsOn: [
    watching
  ]
}

@description('Resource id of the function app.')
output appId string = functionApp.outputs.appId

@description('Name of the function app, for publishing.')
output appName string = functionApp.outputs.appName

@description('Public address of the app.')
output appUrl string = appUrl

@description('Front Door ID of the only profile that may forward requests to the app; empty: anyone may call it.')
output frontDoorId string = frontDoorId

@description('Base address of the service that knows who may submit cases; empty: none is asked.')
output eligibilityServiceUrl string = eligibilityServiceUrl

@description('Telephone number of the emergency services, shown to patients.')
output emergencyNumber string = emergencyNumber

@description('Telephone number of a crisis line; empty: none is shown.')
output crisisLine string = crisisLine

@description('Keys of the further settings, separated by commas.')
output extraSettingKeys string = join(map(items(extraSettings), item => item.key), ',')

@description('Plan of the portal’s site; empty: there is none.')
output portalSku string = portalSku

@description('Name of the portal’s site; empty: there is none.')
output portalName string = empty(portalSku) ? '' : portal!.outputs.siteName

@description('Address of the portal’s site; empty: there is none.')
output siteUrl string = siteUrl

@description('Address of the live counts; empty: there are none.')
output liveUrl string = empty(webPubSubSku) ? '' : webPubSub!.outputs.endpoint

@description('Name of the app’s identity, and of its role in PostgreSQL.')
output identityName string = identity.name

@description('Object id of the app’s identity.')
output identityPrincipalId string = identity.properties.principalId

@description('Name of the Key Vault.')
output vaultName string = keyVault.outputs.vaultName

@description('Names of the secrets that the Key Vault must contain.')
output vaultSecretNames string[] = map(items(secretNames), item => item.value)

@description('Resource id of the PostgreSQL server.')
output postgresServerId string = postgresql.outputs.serverId

@description('Host name of the PostgreSQL server.')
output postgresHost string = postgresql.outputs.host

@description('Name of the database.')
output databaseName string = databaseName

@description('Name of the deploying identity’s PostgreSQL role.')
output administratorName string = administratorName

@description('Whether database and vault are reachable only from inside the network.')
output networkIsolation bool = networkIsolation

@description('The app’s outgoing IP address; empty without network isolation.')
output outboundIpAddress string = networkIsolation ? network!.outputs.outboundIpAddress : ''

metadata description = 'The function app on Flex Consumption. Its settings contain no secret: they refer to Key Vault and Entra identities.'

@description('Azure region.')
param location string

@description('Name of the app; its address is https://<name>.azurewebsites.net.')
@minLength(2)
@maxLength(60)
param appName string

@description('Name of the plan.')
param planName string

@description('Tags of every resource.')
param tags object

@description('Resource id of the app’s user-assigned identity.')
param identityId string

@description('Client id of the app’s identity, for requesting tokens.')
param identityClientId string

@description('Memory of an instance in MB, which also determines its CPU (2048: one core).')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int

@description('Maximum number of instances that answer requests, beside those that are always ready. The platform accepts 40 or more.')
@minValue(40)
@maxValue(1000)
param maximumInstanceCount int

@description('Always-ready instances, so that no request waits for a start; 0 scales to zero.')
@minValue(0)
@maxValue(20)
param alwaysReadyInstances int

@description('Concurrent requests per instance; beyond that the platform starts another. At most one per 128 MB of memory.')
@minValue(1)
@maxValue(32)
param httpConcurrency int

@description('URL of the container for deployment packages.')
param packageContainerUrl string

@description('URL of the blob service for the host’s state.')
param hostBlobUrl string

@description('URL of the queue service for the host’s state.')
param hostQueueUrl string

@description('Destination of telemetry; not a secret.')
param applicationInsightsConnectionString string

@description('URL of the Key Vault, with a trailing slash.')
param vaultUri string

@description('The app’s settings that are not secret: keys of the schema in src/lib/configuration/environment.ts.')
param appSettings object

@description('Further settings of the app, of which none replaces another of the template.')
param extraSettings object

@description('The app’s secret settings: names of Key Vault secrets by setting.')
param secretNames object

@description('Front Door ID of the only profile that may forward requests to the app; empty: anyone may call it.')
param frontDoorId string

@description('Subnet for outgoing traffic; empty: directly to the internet.')
param appSubnetId string

@description('Resource id of the workspace that receives the host’s log.')
param workspaceId string

@description('Sends the host’s log to the workspace too: twice the volume; for diagnosing an app that does not start.')
param hostLogEnabled bool

var secretSettings = toObject(items(secretNames), item => item.key, item => '@Microsoft.KeyVault(SecretUri=${vaultUri}secrets/${item.value})')

// FUNCTIONS_WORKER_RUNTIME, FUNCTIONS_EXTENSION_VERSION and WEBSITE_* are refused or ignored by Flex Consumption.
var platformSettings = {
  AzureWebJobsStorage__blobServiceUri: hostBlobUrl
  AzureWebJobsStorage__queueServiceUri: hostQueueUrl
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  APPLICATIONINSIGHTS_CONNECTION_STRING: applicationInsightsConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identityClientId};Authorization=AAD'
  // The identity that DefaultAzureCredential uses, for images and for tokens as PostgreSQL’s password.
  AZURE_CLIENT_ID: identityClientId
  // 24 MiB: the host stores a body four to seven times in memory, so limit × concurrency must stay below an eighth
  // of the instance’s memory. The app refuses bodies over 20 MB with 413; beyond this limit the host returns an
  // empty 500.
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '25165824'
}

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: {
    tier: 'FlexConsumption'
    name: 'FC1'
  }
  properties: {
    reserved: true
  }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: appName
  location: location
  tags: tags
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    clientAffinityEnabled: false
    keyVaultReferenceIdentity: identityId
    virtualNetworkSubnetId: empty(appSubnetId) ? null : appSubnetId
    outboundVnetRouting: {
      allTraffic: !empty(appSubnetId)
    }
    // No `cors` here: the app answers preflights itself, and two sources would conflict.
    siteConfig: {
      minTlsVersion: '1.2'
      scmMinTlsVersion: '1.2'
      ftpsState: 'Disabled'
      http20Enabled: true
      // Both are needed: the tag admits any customer’s Front Door, and the header alone anyone who knows the id. Neither applies to
      // the deployment site, which accepts only Entra tokens.
      ipSecurityRestrictionsDefaultAction: empty(frontDoorId) ? 'Allow' : 'Deny'
      ipSecurityRestrictions: empty(frontDoorId) ? [] : [
        {
          name: 'front-door'
          priority: 100
          action: 'Allow'
          tag: 'ServiceTag'
          ipAddress: 'AzureFrontDoor.Backend'
          headers: {
            'x-azure-fdid': [
              frontDoorId
            ]
          }
        }
      ]
      scmIpSecurityRestrictionsUseMain: false
    }
    functionAppConfig: {
      runtime: {
        name: 'node'
        version: '24'
      }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packageContainerUrl
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identityId
          }
        }
      }
      scaleAndConcurrency: {
        instanceMemoryMB: instanceMemoryMB
        maximumInstanceCount: maximumInstanceCount
        // All HTTP functions scale as one group, named `http`.
        alwaysReady: alwaysReadyInstances == 0 ? [] : [
          {
            name: 'http'
            instanceCount: alwaysReadyInstances
          }
        ]
        triggers: {
          http: {
            // See FUNCTIONS_REQUEST_BODY_SIZE_LIMIT for the bound. host.json sets no maxConcurrentRequests, which
            // would let a few slow AI calls block all other requests of the instance.
            perInstanceConcurrency: min(httpConcurrency, instanceMemoryMB / 192)
          }
        }
      }
    }
  }
}

resource settings 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: app
  name: 'appsettings'
  // The last one wins.
  properties: union(extraSettings, platformSettings, appSettings, secretSettings)
}

resource noFtpPasswords 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'ftp'
  properties: {
    allow: false
  }
}

resource noPublishingPasswords 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'scm'
  properties: {
    allow: false
  }
}

resource hostLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (hostLogEnabled) {
  name: 'host-log'
  scope: app
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        category: 'FunctionAppLogs'
        enabled: true
      }
    ]
  }
}

@description('Resource id of the app.')
output appId string = app.id

@description('Name of the app.')
output appName string = app.name

@description('Public address of the app.')
output url string = 'https://${app.properties.defaultHostName}'

metadata description = 'Telemetry: one Log Analytics workspace and its Application Insights component.'

@description('Azure region.')
param location string

@description('Suffix of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Retention of logs, traces and metrics in days; the first 31 are free.')
@minValue(30)
@maxValue(730)
param retentionDays int

@description('Gigabytes per day after which the workspace stops ingestion until its next day, which starts at its own hour; it limits the cost of a log storm. -1 for no limit.')
@minValue(-1)
param dailyCapGB int

@description('Object id of the app’s identity, which may send telemetry.')
param appPrincipalId string

// https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/monitor#monitoring-metrics-publisher
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-07-01' = {
  name: 'log-${nameSuffix}'
  location: location
  tags: tags
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: retentionDays
    workspaceCapping: {
      dailyQuotaGb: dailyCapGB
    }
    features: {
      disableLocalAuth: true
      enableLogAccessUsingOnlyResourcePermissions: true
    }
  }
}

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' = {
  name: 'appi-${nameSuffix}'
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    // The connection string then only identifies the component: telemetry needs an Entra token.
    DisableLocalAuth: true
  }
}

resource mayPublish 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(applicationInsights.id, appPrincipalId, monitoringMetricsPublisher)
  scope: applicationInsights
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
  }
}

@description('Resource id of the workspace: the target of diagnostic settings and alert queries.')
output workspaceId string = workspace.id

@description('Resource id of the Application Insights component.')
output applicationInsightsId string = applicationInsights.id

@description('Destination of telemetry; not a secret, because local authentication is off.')
output connectionString string = applicationInsights.properties.ConnectionString

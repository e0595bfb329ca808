metadata description = 'Where telemetry goes: one Log Analytics workspace and the Application Insights component in front of it.'

@description('Azure region.')
param location string

@description('End of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Days that logs, traces and metrics are kept; the first 31 are free.')
@minValue(30)
@maxValue(730)
param retentionDays int

@description('Gigabytes a day after which nothing more is taken in until the workspace’s next day begins, at an hour of its own, so that a log storm has a price limit; -1 for none.')
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
    // The connection string then identifies the component and opens nothing: telemetry needs an Entra token.
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

@description('Says where telemetry goes; no secret, because local authentication is off.')
output connectionString string = applicationInsights.properties.ConnectionString

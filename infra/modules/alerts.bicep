metadata description = 'Alerts: log queries over what the app (src/lib/log.ts) and the workspace write, and metrics of PostgreSQL.'

@description('Azure region.')
param location string

@description('End of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Resource id of the action group that is told.')
param actionGroupId string

@description('Resource id of the workspace that holds the app’s logs.')
param workspaceId string

@description('Resource id of the PostgreSQL server.')
param postgresServerId string

@description('Connections that the server grants to users.')
@minValue(1)
param postgresMaxConnections int

// Each query returns rows only when there is something to tell; `minutes` is how often it runs and how far it looks back,
// unless it has a `window`. Lines arrive minutes after they were written: a rate can do without the late ones, an event
// that happens once cannot, so its window reaches over the runs before.
var logAlerts = [
  {
    name: 'server-errors'
    description: 'More than 2 % of requests are answered with 5xx.'
    query: loadTextContent('../queries/server-errors.kql')
    severity: 1
    minutes: 10
  }
  {
    name: 'slow-requests'
    description: 'The 95th percentile of requests without AI is over 500 ms.'
    query: loadTextContent('../queries/slow-requests.kql')
    severity: 2
    minutes: 15
  }
  {
    name: 'slow-ai'
    description: 'The 95th percentile of calls of the AI service is over 3 s.'
    query: loadTextContent('../queries/slow-ai.kql')
    severity: 2
    minutes: 15
  }
  {
    name: 'ai-breaker-open'
    description: 'The app has stopped calling a route of the AI service because it kept failing.'
    query: loadTextContent('../queries/ai-breaker-open.kql')
    severity: 1
    minutes: 5
  }
  {
    name: 'throttling-surge'
    description: 'Many attempts are refused with 429.'
    query: loadTextContent('../queries/throttling-surge.kql')
    severity: 2
    minutes: 15
  }
  {
    name: 'refresh-token-reuse'
    description: 'A refresh token was used twice: it may have been stolen.'
    query: loadTextContent('../queries/refresh-token-reuse.kql')
    severity: 1
    minutes: 5
    window: 15
  }
  {
    name: 'needs-a-person'
    description: 'A mail was given up, an audit event was lost, a timer failed, the configuration is wrong or photos have no rows.'
    query: loadTextContent('../queries/needs-a-person.kql')
    severity: 2
    minutes: 15
    window: 30
  }
  {
    name: 'daily-cap'
    description: 'The logs of the day have reached their cap: until its next day begins, no alert on logs sees anything.'
    query: loadTextContent('../queries/daily-cap.kql')
    severity: 1
    minutes: 15
    window: 30
  }
]

var metricAlerts = [
  {
    name: 'postgresql-cpu'
    description: 'PostgreSQL has used over 80 % of its CPU for 15 minutes.'
    metricName: 'cpu_percent'
    threshold: 80
    severity: 2
  }
  {
    name: 'postgresql-storage'
    description: 'PostgreSQL storage is over 80 % full.'
    metricName: 'storage_percent'
    threshold: 80
    severity: 2
  }
  {
    name: 'postgresql-connections'
    description: 'Over 80 % of the connections that PostgreSQL grants are in use.'
    metricName: 'active_connections'
    threshold: postgresMaxConnections * 80 / 100
    severity: 2
  }
]

resource fromLogs 'Microsoft.Insights/scheduledQueryRules@2025-01-01-preview' = [for alert in logAlerts: {
  name: '${alert.name}-${nameSuffix}'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: '${alert.name}-${nameSuffix}'
    description: alert.description
    severity: alert.severity
    enabled: true
    scopes: [
      workspaceId
    ]
    evaluationFrequency: 'PT${alert.minutes}M'
    windowSize: 'PT${union({ window: alert.minutes }, alert).window}M'
    criteria: {
      allOf: [
        {
          query: alert.query
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    // The tables of a new workspace come into being with the first telemetry; until then the query would be refused.
    skipQueryValidation: true
    autoMitigate: true
    actions: {
      actionGroups: [
        actionGroupId
      ]
    }
  }
}]

resource fromMetrics 'Microsoft.Insights/metricAlerts@2018-03-01' = [for alert in metricAlerts: {
  name: '${alert.name}-${nameSuffix}'
  location: 'global'
  tags: tags
  properties: {
    description: alert.description
    severity: alert.severity
    enabled: true
    scopes: [
      postgresServerId
    ]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT15M'
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'StaticThresholdCriterion'
          name: alert.name
          metricNamespace: 'Microsoft.DBforPostgreSQL/flexibleServers'
          metricName: alert.metricName
          operator: 'GreaterThan'
          threshold: alert.threshold
          timeAggregation: 'Average'
        }
      ]
    }
    autoMitigate: true
    actions: [
      {
        actionGroupId: actionGroupId
      }
    ]
  }
}]

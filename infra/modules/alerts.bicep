metadata description = 'Alerts: queries of the app’s log (src/lib/telemetry/log.ts) and the workspace’s own, and metrics of PostgreSQL.'

@description('Azure region.')
param location string

@description('Suffix of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Resource id of the action group that receives the alerts.')
param actionGroupId string

@description('Resource id of the workspace with the app’s logs.')
param workspaceId string

@description('Resource id of the PostgreSQL server.')
param postgresServerId string

@description('Connections that the server grants to users.')
@minValue(1)
param postgresMaxConnections int

// A query that returns rows raises its alert. `minutes` is both the interval and the window of the query,
// unless it has a `window`. Lines arrive minutes late: a rate tolerates missing ones, but an event that happens once
// does not, so its window overlaps the previous runs. An alert that is open sends no second message: with `by`, a column of
// the rows, each of its values has an alert of its own, so that one clinic's does not hide another's.
var logAlerts = [
  {
    name: 'server-errors'
    description: 'More than 2 % of requests fail with 5xx.'
    query: loadTextContent('../queries/server-errors.kql')
    severity: 1
    minutes: 10
  }
  {
    name: 'slow-requests'
    description: 'The 95th percentile of the duration of requests without AI is over 500 ms.'
    query: loadTextContent('../queries/slow-requests.kql')
    severity: 2
    minutes: 15
  }
  {
    name: 'slow-ai'
    description: 'The 95th percentile of the duration of AI calls is over 3 s.'
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
    by: 'route'
  }
  {
    name: 'ai-degraded'
    description: 'The AI service answers unusably, or cases were queued without its analysis.'
    query: loadTextContent('../queries/ai-degraded.kql')
    severity: 1
    minutes: 15
    window: 30
    by: 'route'
  }
  {
    name: 'eligibility-failing'
    description: 'The eligibility service does not answer usably: after an hour, cases are queued unverified.'
    query: loadTextContent('../queries/eligibility-failing.kql')
    severity: 1
    minutes: 15
    window: 30
  }
  {
    name: 'throttling-surge'
    description: 'Many requests are refused with 429.'
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
    by: 'tenant'
  }
  {
    name: 'needs-a-person'
    description: 'A message is dead, an audit event was lost, a timer failed, the configuration is invalid, a case is stuck, a photo has lost its blob, many photos have no rows, or live counts fail.'
    query: loadTextContent('../queries/needs-a-person.kql')
    severity: 2
    minutes: 15
    window: 30
    by: 'event'
  }
  {
    name: 'emergency-waiting'
    description: 'A case with an emergency has waited for a physician for over an hour.'
    query: loadTextContent('../queries/emergency-waiting.kql')
    severity: 0
    minutes: 5
    window: 15
    by: 'tenant'
  }
  {
    name: 'emergency-without-on-call'
    description: 'A case with an emergency waits, and no physician on call is at work.'
    query: loadTextContent('../queries/emergency-without-on-call.kql')
    severity: 0
    minutes: 5
    window: 15
    by: 'tenant'
  }
  {
    name: 'queue-overdue'
    description: 'Cases have waited for a physician past their due time.'
    query: loadTextContent('../queries/queue-overdue.kql')
    severity: 2
    minutes: 15
    window: 30
    by: 'tenant'
  }
  {
    name: 'timers-stopped'
    description: 'A timer that should run every minute has not run for 15 minutes, while requests are answered.'
    query: loadTextContent('../queries/timers-stopped.kql')
    severity: 1
    minutes: 5
    window: 15
    by: 'timer'
  }
  {
    name: 'timers-overdue'
    description: 'A timer that should run every 15 minutes, every hour or every night has not run.'
    query: loadTextContent('../queries/timers-overdue.kql')
    severity: 1
    minutes: 60
    // Two days, the longest window: a nightly timer has to be missing for more than one.
    window: 2880
    by: 'timer'
  }
  {
    name: 'outbox-stuck'
    description: 'No worker has delivered messages that have been due for over ten minutes.'
    query: loadTextContent('../queries/outbox-stuck.kql')
    severity: 1
    minutes: 5
    window: 15
    by: 'consumer'
  }
  {
    name: 'notifications-failing'
    description: 'Mails or push messages about cases have been delayed for over ten minutes, or many were given up.'
    query: loadTextContent('../queries/notifications-failing.kql')
    severity: 1
    minutes: 15
    window: 60
  }
  {
    name: 'bulk-read'
    description: 'A physician or admin has read about over 500 patients within a day.'
    query: loadTextContent('../queries/bulk-read.kql')
    severity: 1
    minutes: 15
    window: 30
    by: 'user'
  }
  {
    name: 'daily-cap'
    description: 'The logs have reached their daily cap: until the next day of the workspace, no alert on logs can fire.'
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
    description: 'PostgreSQL storage is more than 80 % full.'
    metricName: 'storage_percent'
    threshold: 80
    severity: 2
  }
  {
    name: 'postgresql-connections'
    description: 'More than 80 % of the connections that PostgreSQL grants are in use.'
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
          dimensions: empty(union({ by: '' }, alert).by) ? [] : [
            {
              name: union({ by: '' }, alert).by
              operator: 'Include'
              values: [
                '*'
              ]
            }
          ]
          operator: 'GreaterThan'
          threshold: 0
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    // The first telemetry creates the tables of a new workspace; before that, Azure would refuse the query.
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

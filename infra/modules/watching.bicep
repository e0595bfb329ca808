metadata description = 'Monitoring of the app: recipients of alerts, availability tests, alerts, the workbook and the budget.'

@description('Azure region.')
param location string

@description('Suffix of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Email addresses that receive alerts.')
@minLength(1)
param alertEmails string[]

@description('Public address of the app.')
param appUrl string

@description('Seconds between two availability tests from one location.')
@allowed([
  300
  600
  900
])
param availabilityFrequencySeconds int

@description('Locations of availability tests.')
@minLength(3)
@maxLength(16)
param availabilityLocations string[]

@description('Resource id of the Application Insights component.')
param applicationInsightsId string

@description('Resource id of the workspace with the app’s logs.')
param workspaceId string

@description('Resource id of the PostgreSQL server.')
param postgresServerId string

@description('Connections that the server grants to users.')
@minValue(1)
param postgresMaxConnections int

@description('Monthly budget of the resource group in the currency of the subscription.')
@minValue(1)
param monthlyBudget int

@description('First day of the budget: the first of a month, yyyy-MM-dd. Cannot be changed later.')
param budgetStartDate string

var tests = [
  {
    name: 'healthy'
    path: '/healthy'
    expectedText: '"healthy"'
  }
  {
    name: 'health'
    path: '/health'
    expectedText: '"connected"'
  }
]

resource actionGroup 'Microsoft.Insights/actionGroups@2024-10-01-preview' = {
  name: 'ag-${nameSuffix}'
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'dermagate'
    enabled: true
    emailReceivers: [for (address, i) in alertEmails: {
      name: 'email-${i}'
      emailAddress: address
      useCommonAlertSchema: true
    }]
  }
}

module availability 'availability.bicep' = [for test in tests: {
  name: 'availability-${test.name}'
  params: {
    location: location
    testName: '${test.name}-${nameSuffix}'
    tags: tags
    applicationInsightsId: applicationInsightsId
    actionGroupId: actionGroup.id
    url: '${appUrl}${test.path}'
    expectedText: test.expectedText
    frequencySeconds: availabilityFrequencySeconds
    locations: availabilityLocations
    severity: 0
  }
}]

module alerts 'alerts.bicep' = {
  name: 'alerts'
  params: {
    location: location
    nameSuffix: nameSuffix
    tags: tags
    actionGroupId: actionGroup.id
    workspaceId: workspaceId
    postgresServerId: postgresServerId
    postgresMaxConnections: postgresMaxConnections
  }
}

// A workbook’s name is a GUID; it must be the same each time, or every deployment would add a workbook.
resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, 'workbook')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'Dermagate at a glance (${nameSuffix})'
    category: 'workbook'
    sourceId: workspaceId
    version: 'Notebook/1.0'
    serializedData: loadTextContent('../workbook.json')
  }
}

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: 'budget-${nameSuffix}'
  properties: {
    category: 'Cost'
    amount: monthlyBudget
    timeGrain: 'Monthly'
    timePeriod: {
      startDate: budgetStartDate
    }
    notifications: {
      actualOver80Percent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: alertEmails
        contactGroups: [
          actionGroup.id
        ]
      }
      forecastOver100Percent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: alertEmails
        contactGroups: [
          actionGroup.id
        ]
      }
    }
  }
}

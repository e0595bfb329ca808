metadata description = 'Asks the app from outside: a standard web test on one address from several regions, and the alert when they do not get their answer.'

@description('Azure region.')
param location string

@description('Name of the test.')
param testName string

@description('Tags of every resource.')
param tags object

@description('Resource id of the Application Insights component that keeps the results.')
param applicationInsightsId string

@description('Resource id of the action group that is told.')
param actionGroupId string

@description('Address that is asked; must answer 200.')
param url string

@description('Text that the answer must contain.')
param expectedText string

@description('Seconds between two tests from one place. Each test costs money.')
@allowed([
  300
  600
  900
])
param frequencySeconds int

@description('Places to ask from, at least three. Names: https://learn.microsoft.com/azure/azure-monitor/app/availability#location-population-tags')
@minLength(3)
@maxLength(16)
param locations string[]

@description('Severity of the alert, 0 (critical) to 4.')
@minValue(0)
@maxValue(4)
param severity int

resource test 'Microsoft.Insights/webtests@2022-06-15' = {
  name: testName
  location: location
  // The link by which Application Insights finds its tests.
  tags: union(tags, {
    'hidden-link:${applicationInsightsId}': 'Resource'
  })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: testName
    Name: testName
    Kind: 'standard'
    Enabled: true
    Frequency: frequencySeconds
    // A cold start may take part of it.
    Timeout: 30
    RetryEnabled: true
    Locations: [for place in locations: {
      Id: place
    }]
    Request: {
      RequestUrl: url
      HttpVerb: 'GET'
      ParseDependentRequests: false
      FollowRedirects: false
    }
    ValidationRules: {
      ExpectedHttpStatusCode: 200
      SSLCheck: true
      SSLCertRemainingLifetimeCheck: 7
      ContentValidation: {
        ContentMatch: expectedText
        IgnoreCase: false
        PassIfTextFound: true
      }
    }
  }
}

// One place that fails is that place’s network; more are us.
resource alert 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: '${testName}-fails'
  location: 'global'
  // The links by which the portal shows the alert beside its test.
  tags: union(tags, {
    'hidden-link:${applicationInsightsId}': 'Resource'
    'hidden-link:${test.id}': 'Resource'
  })
  properties: {
    description: '${url} does not answer as it should when asked from at least two regions.'
    severity: severity
    enabled: true
    scopes: [
      test.id
      applicationInsightsId
    ]
    evaluationFrequency: 'PT1M'
    windowSize: frequencySeconds == 300 ? 'PT5M' : 'PT15M'
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: test.id
      componentId: applicationInsightsId
      failedLocationCount: 2
    }
    autoMitigate: true
    actions: [
      {
        actionGroupId: actionGroupId
      }
    ]
  }
}

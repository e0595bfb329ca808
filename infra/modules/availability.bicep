metadata description = 'Availability of the app from outside: a standard web test of one URL from several locations, and an alert when it fails.'

@description('Azure region.')
param location string

@description('Name of the test.')
param testName string

@description('Tags of every resource.')
param tags object

@description('Resource id of the Application Insights component for the results.')
param applicationInsightsId string

@description('Resource id of the action group that receives the alerts.')
param actionGroupId string

@description('URL to test; it must return 200.')
param url string

@description('Text that the reply must contain.')
param expectedText string

@description('Seconds between two tests from one place. Each test costs money.')
@allowed([
  300
  600
  900
])
param frequencySeconds int

@description('Locations of the tests, at least three. Names: https://learn.microsoft.com/azure/azure-monitor/app/availability#location-population-tags')
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
  // Application Insights finds its tests by this link.
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
    // Includes a cold start.
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

// A failure at one location is a problem of its network; at several locations it is ours.
resource alert 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: '${testName}-fails'
  location: 'global'
  // The Azure portal shows the alert beside its test by these links.
  tags: union(tags, {
    'hidden-link:${applicationInsightsId}': 'Resource'
    'hidden-link:${test.id}': 'Resource'
  })
  properties: {
    description: '${url} fails its availability test from at least two locations.'
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

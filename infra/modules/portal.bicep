metadata description = 'The portal as an Azure Static Web App: static files only, no API, no secret. deploy.sh --with-portal builds and uploads them.'

@description('Azure region that manages the site; its files are served worldwide.')
param location string

@description('Name of the site; its address is chosen by Azure.')
@minLength(2)
@maxLength(40)
param siteName string

@description('Tags of every resource.')
param tags object

@description('Plan: Free has no service level agreement and serves 100 GB a month, Standard has one.')
@allowed([
  'Free'
  'Standard'
])
param skuName string

resource site 'Microsoft.Web/staticSites@2024-11-01' = {
  name: siteName
  location: location
  tags: tags
  sku: {
    name: skuName
    tier: skuName
  }
  properties: {
    // The headers are part of the files: staticwebapp.config.json.
    allowConfigFileUpdates: true
    // A preview environment would have an origin that the gateway refuses.
    stagingEnvironmentPolicy: 'Disabled'
    enterpriseGradeCdnStatus: 'Disabled'
    provider: 'Custom'
  }
}

@description('Name of the site, for uploading.')
output siteName string = site.name

@description('Address of the portal, without a trailing slash: its origin.')
output url string = 'https://${site.properties.defaultHostname}'

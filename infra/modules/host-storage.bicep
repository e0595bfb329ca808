metadata description = 'Storage of the Functions host: deployment packages, timer leases and host state. The app stores no data here.'

@description('Azure region.')
param location string

@description('Name of the storage account.')
@minLength(3)
@maxLength(24)
param accountName string

@description('Tags of every resource.')
param tags object

@description('Object id of the app’s identity, which the host uses.')
param appPrincipalId string

@description('Subnet for private endpoints; empty: the account is reachable from the internet (with Entra tokens only).')
param endpointSubnetId string

@description('Private DNS zone for Blob storage; empty without private endpoints.')
param blobZoneId string

@description('Private DNS zone for Queue storage; empty without private endpoints.')
param queueZoneId string

var isolated = !empty(endpointSubnetId)
var packageContainerName = 'packages'

// Roles that a Flex Consumption host needs with a managed identity:
// https://learn.microsoft.com/azure/azure-functions/functions-reference#connecting-to-host-storage-with-an-identity
var storageBlobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
var storageQueueDataContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88'

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: accountName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: {
    name: 'Standard_LRS'
  }
  properties: {
    accessTier: 'Hot'
    allowBlobPublicAccess: false
    allowSharedKeyAccess: false
    allowCrossTenantReplication: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: isolated ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'None'
      defaultAction: isolated ? 'Deny' : 'Allow'
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' = {
  parent: account
  name: 'default'
}

resource packages 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = {
  parent: blobs
  name: packageContainerName
  properties: {
    publicAccess: 'None'
  }
}

resource hostRoles 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for role in [storageBlobDataOwner, storageQueueDataContributor]: {
  name: guid(account.id, appPrincipalId, role)
  scope: account
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
  }
}]

module blobEndpoint 'private-endpoint.bicep' = if (isolated) {
  name: 'host-storage-blob-endpoint'
  params: {
    location: location
    name: 'pep-${accountName}-blob'
    tags: tags
    subnetId: endpointSubnetId
    targetId: account.id
    groupId: 'blob'
    zoneId: blobZoneId
  }
}

module queueEndpoint 'private-endpoint.bicep' = if (isolated) {
  name: 'host-storage-queue-endpoint'
  params: {
    location: location
    name: 'pep-${accountName}-queue'
    tags: tags
    subnetId: endpointSubnetId
    targetId: account.id
    groupId: 'queue'
    zoneId: queueZoneId
  }
}

@description('URL of the account’s blob service.')
output blobEndpointUrl string = account.properties.primaryEndpoints.blob

@description('URL of the account’s queue service.')
output queueEndpointUrl string = account.properties.primaryEndpoints.queue

@description('URL of the container for deployment packages.')
output packageContainerUrl string = '${account.properties.primaryEndpoints.blob}${packageContainerName}'

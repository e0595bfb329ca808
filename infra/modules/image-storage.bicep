metadata description = 'Storage of patients’ images: one private container, no keys, versions and soft delete, a lifecycle.'

@description('Azure region.')
param location string

@description('Name of the storage account.')
@minLength(3)
@maxLength(24)
param accountName string

@description('Tags of every resource.')
param tags object

@description('Replication: Standard_ZRS stores three copies in different zones of the region, Standard_GZRS also one in the paired region.')
@allowed([
  'Standard_LRS'
  'Standard_ZRS'
  'Standard_GZRS'
])
param skuName string

@description('Days for which deleted and overwritten images can be restored. They are gone two or three days later: a daily lifecycle run deletes them first.')
@minValue(7)
@maxValue(11)
param retentionDays int

@description('Object id of the app’s identity, which may read and write images.')
param appPrincipalId string

@description('Subnet for private endpoints; empty: the account is reachable from the internet (with Entra tokens only).')
param endpointSubnetId string

@description('Private DNS zone for Blob storage; empty without private endpoints.')
param blobZoneId string

@description('Resource id of the workspace that receives the access log.')
param workspaceId string

var isolated = !empty(endpointSubnetId)
var imageContainerName = 'images'

// https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/storage#storage-blob-data-contributor
var storageBlobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: accountName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: {
    name: skuName
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
  properties: {
    isVersioningEnabled: true
    deleteRetentionPolicy: {
      enabled: true
      days: retentionDays
    }
    containerDeleteRetentionPolicy: {
      enabled: true
      days: retentionDays
    }
  }
}

resource images 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = {
  parent: blobs
  name: imageContainerName
  properties: {
    publicAccess: 'None'
  }
}

// A deleted or overwritten blob stays as a version, which nothing else would ever remove. The lifecycle deletes it after a
// day, and the soft delete above then preserves it for `retentionDays`: with the same number of days in both
// places a deleted image would live up to twice as long.
resource lifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'remove-old-versions'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: {
              blobTypes: [
                'blockBlob'
              ]
            }
            actions: {
              version: {
                delete: {
                  daysAfterCreationGreaterThan: 1
                }
              }
            }
          }
        }
        {
          name: 'cool-down'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: {
              blobTypes: [
                'blockBlob'
              ]
              prefixMatch: [
                '${imageContainerName}/'
              ]
            }
            actions: {
              baseBlob: {
                tierToCool: {
                  daysAfterModificationGreaterThan: 90
                }
              }
            }
          }
        }
      ]
    }
  }
}

// Scoped to the container, not the account: the app can neither list nor create other containers.
resource mayKeepImages 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(images.id, appPrincipalId, storageBlobDataContributor)
  scope: images
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataContributor)
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
  }
}

module blobEndpoint 'private-endpoint.bicep' = if (isolated) {
  name: 'image-storage-blob-endpoint'
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

// Logs every read, write and deletion of an image, by any client.
resource accessLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'access-log'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        categoryGroup: 'audit'
        enabled: true
      }
    ]
  }
}

@description('URL of the account’s blob service, for STORAGE_ACCOUNT_URL.')
output blobEndpointUrl string = account.properties.primaryEndpoints.blob

@description('Name of the container, for STORAGE_CONTAINER.')
output containerName string = images.name

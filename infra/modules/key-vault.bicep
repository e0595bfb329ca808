metadata description = 'Key Vault for the app’s secrets. deploy.sh creates their values, which never pass through a template.'

@description('Azure region.')
param location string

@description('Name of the vault.')
@minLength(3)
@maxLength(24)
param vaultName string

@description('Tags of every resource.')
param tags object

@description('Refuses to purge a deleted vault or secret before its 90 days are over. Irreversible.')
param purgeProtection bool

@description('Object id of the app’s identity, which may read secrets.')
param appPrincipalId string

@description('Object id of the deploying identity, which may write secrets.')
param administratorObjectId string

@description('Kind of the deploying identity.')
@allowed([
  'User'
  'Group'
  'ServicePrincipal'
])
param administratorType string

@description('Subnet for private endpoints; empty: the vault is reachable from the internet (with Entra tokens only).')
param endpointSubnetId string

@description('Private DNS zone for Key Vault; empty without private endpoints.')
param vaultZoneId string

@description('Resource id of the workspace that receives the audit log.')
param workspaceId string

var isolated = !empty(endpointSubnetId)

// https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/security
var keyVaultSecretsUser = '4633458b-17de-408a-b874-0445c86b69e6'
var keyVaultSecretsOfficer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7'

resource vault 'Microsoft.KeyVault/vaults@2024-11-01' = {
  name: vaultName
  location: location
  tags: tags
  properties: {
    tenantId: tenant().tenantId
    sku: {
      family: 'A'
      name: 'standard'
    }
    enableRbacAuthorization: true
    enableSoftDelete: true
    softDeleteRetentionInDays: 90
    // The service refuses `false` once it was true, and treats it as an error on a new vault; absent means off.
    enablePurgeProtection: purgeProtection ? true : null
    publicNetworkAccess: isolated ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'None'
      defaultAction: isolated ? 'Deny' : 'Allow'
    }
  }
}

resource appMayRead 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault.id, appPrincipalId, keyVaultSecretsUser)
  scope: vault
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', keyVaultSecretsUser)
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
  }
}

resource administratorMayWrite 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault.id, administratorObjectId, keyVaultSecretsOfficer)
  scope: vault
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', keyVaultSecretsOfficer)
    principalId: administratorObjectId
    principalType: administratorType
  }
}

module vaultEndpoint 'private-endpoint.bicep' = if (isolated) {
  name: 'key-vault-endpoint'
  params: {
    location: location
    name: 'pep-${vaultName}'
    tags: tags
    subnetId: endpointSubnetId
    targetId: vault.id
    groupId: 'vault'
    zoneId: vaultZoneId
  }
}

resource auditLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'audit-log'
  scope: vault
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

@description('Name of the vault.')
output vaultName string = vault.name

@description('URL of the vault, with a trailing slash.')
output vaultUri string = vault.properties.vaultUri

metadata description = 'Azure Web PubSub for the live counts of the back office. It stores nothing; messages are counts of a tenant and nothing of a person.'

@description('Azure region.')
param location string

@description('Name of the service; part of its public address.')
@minLength(3)
@maxLength(63)
param serviceName string

@description('Tags of every resource.')
param tags object

@description('Size: Free_F1 takes 20 connections and 20,000 messages a day, a Standard_S1 unit 1,000 and a million.')
@allowed([
  'Free_F1'
  'Standard_S1'
])
param skuName string

@description('Object id of the app’s identity, which may invite clients and publish.')
param appPrincipalId string

@description('Resource id of the workspace that receives the audit log.')
param workspaceId string

// https://learn.microsoft.com/azure/role-based-access-control/built-in-roles/web-and-mobile
var webPubSubServiceOwner = '12cf5a90-567b-43ae-8102-96cf46c7d9b4'

// Public also where the network is isolated: physicians connect from wherever they work. Without keys, only the app’s
// identity can publish or make a token for a client.
resource service 'Microsoft.SignalRService/webPubSub@2024-03-01' = {
  name: serviceName
  location: location
  tags: tags
  kind: 'WebPubSub'
  sku: {
    name: skuName
    capacity: 1
  }
  properties: {
    disableLocalAuth: true
    disableAadAuth: false
    publicNetworkAccess: 'Enabled'
    tls: {
      clientCertEnabled: false
    }
  }
}

resource appMayPublish 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(service.id, appPrincipalId, webPubSubServiceOwner)
  scope: service
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', webPubSubServiceOwner)
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
  }
}

resource auditLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'audit-log'
  scope: service
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

@description('Address of the service, without a trailing slash.')
output endpoint string = 'https://${service.properties.hostName}'

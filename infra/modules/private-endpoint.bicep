metadata description = 'One private endpoint and its entry in private DNS.'

@description('Azure region.')
param location string

@description('Name of the endpoint.')
param name string

@description('Tags of every resource.')
param tags object

@description('Resource id of the subnet of the endpoint.')
param subnetId string

@description('Resource id of the target of the endpoint.')
param targetId string

@description('Sub-resource of the target.')
@allowed([
  'blob'
  'queue'
  'vault'
  'postgresqlServer'
])
param groupId string

@description('Resource id of the private DNS zone for the endpoint’s address.')
param zoneId string

resource endpoint 'Microsoft.Network/privateEndpoints@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    subnet: {
      id: subnetId
    }
    privateLinkServiceConnections: [
      {
        name: groupId
        properties: {
          privateLinkServiceId: targetId
          groupIds: [
            groupId
          ]
        }
      }
    ]
  }
}

resource zoneGroup 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-05-01' = {
  parent: endpoint
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      {
        name: groupId
        properties: {
          privateDnsZoneId: zoneId
        }
      }
    ]
  }
}

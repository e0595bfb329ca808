metadata description = 'Network isolation: a virtual network with subnets for the app, the private endpoints and operators, private DNS, and one outgoing address.'

@description('Azure region.')
param location string

@description('Suffix of all resource names, for example dermagate-prod-abc123.')
param nameSuffix string

@description('Tags of every resource.')
param tags object

@description('Address space of the network in CIDR notation, at least a /22, whose fourth /24 stays free; it must not overlap with peered networks.')
param addressPrefix string

var zoneNames = [
  'privatelink.blob.${environment().suffixes.storage}'
  'privatelink.queue.${environment().suffixes.storage}'
  'privatelink.vaultcore.azure.net'
  'privatelink.postgres.database.azure.com'
]

// Subnets are private: external services (the AI service, the mail server) see this one address and can
// allow-list it. https://learn.microsoft.com/azure/azure-functions/functions-how-to-use-nat-gateway
resource outboundAddress 'Microsoft.Network/publicIPAddresses@2025-05-01' = {
  name: 'pip-${nameSuffix}'
  location: location
  tags: tags
  sku: {
    name: 'Standard'
  }
  properties: {
    publicIPAllocationMethod: 'Static'
  }
}

resource natGateway 'Microsoft.Network/natGateways@2025-05-01' = {
  name: 'ng-${nameSuffix}'
  location: location
  tags: tags
  sku: {
    name: 'Standard'
  }
  properties: {
    publicIpAddresses: [
      {
        id: outboundAddress.id
      }
    ]
  }
}

resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: 'vnet-${nameSuffix}'
  location: location
  tags: tags
  properties: {
    addressSpace: {
      addressPrefixes: [
        addressPrefix
      ]
    }
    // No `subnets` here: they are separate resources, so that subnets added by others, such as a GatewaySubnet, stay.
    // https://learn.microsoft.com/azure/azure-resource-manager/bicep/scenarios-virtual-networks
  }
}

// The network accepts one change at a time, so each subnet waits for the previous one.
resource appSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = {
  parent: network
  name: 'app'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 24, 0)
    defaultOutboundAccess: false
    natGateway: {
      id: natGateway.id
    }
    // A subnet that once served another plan stays locked to it (Azure/Azure-Functions#2605).
    delegations: [
      {
        name: 'flex-consumption'
        properties: {
          serviceName: 'Microsoft.App/environments'
        }
      }
    ]
  }
}

resource endpointSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = {
  parent: network
  name: 'private-endpoints'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 24, 1)
    defaultOutboundAccess: false
  }
  dependsOn: [
    appSubnet
  ]
}

// For a build agent or a jump host: deploy.sh must run inside the network.
resource operationsSubnet 'Microsoft.Network/virtualNetworks/subnets@2025-05-01' = {
  parent: network
  name: 'operations'
  properties: {
    addressPrefix: cidrSubnet(addressPrefix, 24, 2)
    defaultOutboundAccess: false
    natGateway: {
      id: natGateway.id
    }
  }
  dependsOn: [
    endpointSubnet
  ]
}

resource zones 'Microsoft.Network/privateDnsZones@2020-06-01' = [for zoneName in zoneNames: {
  name: zoneName
  location: 'global'
  tags: tags
}]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [for (zoneName, i) in zoneNames: {
  parent: zones[i]
  name: network.name
  location: 'global'
  tags: tags
  properties: {
    registrationEnabled: false
    virtualNetwork: {
      id: network.id
    }
  }
}]

@description('Resource id of the app’s subnet.')
output appSubnetId string = appSubnet.id

@description('Resource id of the subnet for private endpoints.')
output endpointSubnetId string = endpointSubnet.id

@description('Private DNS zone for Blob storage.')
output blobZoneId string = zones[0].id

@description('Private DNS zone for Queue storage.')
output queueZoneId string = zones[1].id

@description('Private DNS zone for Key Vault.')
output vaultZoneId string = zones[2].id

@description('Private DNS zone for PostgreSQL.')
output postgresZoneId string = zones[3].id

@description('The app’s outgoing IP address, for the allow-list of the AI service.')
output outboundIpAddress string = outboundAddress.properties.ipAddress

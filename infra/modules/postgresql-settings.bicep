metadata description = 'Settings of a PostgreSQL server: its Entra administrator, configuration and network access.'

@description('Azure region.')
param location string

@description('Name of the existing server.')
param serverName string

@description('Tags of every resource.')
param tags object

@description('Object id of the deploying identity: the server’s Entra administrator and owner of the database.')
param administratorObjectId string

@description('Name of the deploying identity in PostgreSQL: user principal name, group name or application name.')
param administratorName string

@description('Kind of the deploying identity.')
@allowed([
  'User'
  'Group'
  'ServicePrincipal'
])
param administratorType string

@description('Subnet for private endpoints; empty: the server is reachable from Azure’s addresses and, temporarily, from the machine that runs deploy.sh.')
param endpointSubnetId string

@description('Private DNS zone for PostgreSQL; empty without private endpoints.')
param postgresZoneId string

var isolated = !empty(endpointSubnetId)

// Failed statements are logged without rows and parameters, which are patients’ data.
var configurations = [
  {
    name: 'log_error_verbosity'
    value: 'terse'
  }
  {
    name: 'log_parameter_max_length'
    value: '0'
  }
  {
    name: 'require_secure_transport'
    value: 'on'
  }
  {
    name: 'ssl_min_protocol_version'
    value: 'TLSv1.2'
  }
]

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2025-08-01' existing = {
  name: serverName
}

// The server accepts one change at a time (ServerIsBusy), so each waits for the previous one.
resource administrator 'Microsoft.DBforPostgreSQL/flexibleServers/administrators@2025-08-01' = {
  parent: server
  name: administratorObjectId
  properties: {
    principalName: administratorName
    principalType: administratorType
    tenantId: tenant().tenantId
  }
}

@batchSize(1)
resource settings 'Microsoft.DBforPostgreSQL/flexibleServers/configurations@2025-08-01' = [for setting in configurations: {
  parent: server
  name: setting.name
  properties: {
    value: setting.value
    source: 'user-override'
  }
  dependsOn: [
    administrator
  ]
}]

// Without network isolation the app has no fixed address, so the firewall admits all of Azure’s addresses to the
// login, which accepts only Entra tokens. Azure treats 0.0.0.0 to 0.0.0.0 as its own addresses, not as the internet.
resource azureAddresses 'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules@2025-08-01' = if (!isolated) {
  parent: server
  name: 'azure-addresses'
  properties: {
    startIpAddress: '0.0.0.0'
    endIpAddress: '0.0.0.0'
  }
  dependsOn: [
    settings
  ]
}

module serverEndpoint 'private-endpoint.bicep' = if (isolated) {
  name: 'postgresql-endpoint'
  params: {
    location: location
    name: 'pep-${serverName}'
    tags: tags
    subnetId: endpointSubnetId
    targetId: server.id
    groupId: 'postgresqlServer'
    zoneId: postgresZoneId
  }
  dependsOn: [
    settings
  ]
}

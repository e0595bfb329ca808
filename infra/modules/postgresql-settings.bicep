metadata description = 'What a PostgreSQL server is set to: its Entra administrator, its configuration and who reaches it.'

@description('Azure region.')
param location string

@description('Name of the server, which is there already.')
param serverName string

@description('Tags of every resource.')
param tags object

@description('Object id of those who deploy: the server’s Entra administrator, owner of the database.')
param administratorObjectId string

@description('Name of those who deploy, as PostgreSQL will know them: user principal name, group or application name.')
param administratorName string

@description('Kind of those who deploy.')
@allowed([
  'User'
  'Group'
  'ServicePrincipal'
])
param administratorType string

@description('Subnet for private endpoints; empty: the server is reachable from Azure’s own addresses and from where deploy.sh runs.')
param endpointSubnetId string

@description('Private DNS zone for PostgreSQL; empty without private endpoints.')
param postgresZoneId string

var isolated = !empty(endpointSubnetId)

// Statements are logged when they fail; the rows and parameters in them are patients’ data and stay out of the log.
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

// The server takes one change at a time (ServerIsBusy): each waits for the one before.
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

// Without a network of its own the app has no address that could be named, so all of Azure’s are let through to the
// login, which takes Entra tokens only. Azure reads 0.0.0.0 to 0.0.0.0 as itself, not as the internet.
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

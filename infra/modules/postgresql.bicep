metadata description = 'PostgreSQL Flexible Server with Entra authentication only. Database and roles are made by deploy.sh: ARM cannot create roles.'

@description('Azure region.')
param location string

@description('Name of the server.')
@minLength(3)
@maxLength(63)
param serverName string

@description('Tags of every resource.')
param tags object

@description('Major version.')
@allowed([
  '16'
  '17'
  '18'
])
param version string

@description('Size of the server, as `Standard_…`.')
param skuName string

@description('Price tier that the size belongs to.')
@allowed([
  'Burstable'
  'GeneralPurpose'
  'MemoryOptimized'
])
param skuTier string

@description('Storage in GB; grows by itself when it is nearly full and never shrinks.')
@minValue(32)
param storageSizeGB int

@description('Standby that takes over when the server fails; Burstable sizes can have none.')
@allowed([
  'Disabled'
  'SameZone'
  'ZoneRedundant'
])
param highAvailability string

@description('Days back to which the server can be restored, to the second.')
@minValue(7)
@maxValue(35)
param backupRetentionDays int

@description('Keeps the backups in the paired region as well. Only when the server is created.')
param geoRedundantBackup bool

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

@description('Resource id of the workspace that receives the server’s log.')
param workspaceId string

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

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2025-08-01' = {
  name: serverName
  location: location
  tags: tags
  sku: {
    name: skuName
    tier: skuTier
  }
  properties: {
    version: version
    authConfig: {
      activeDirectoryAuth: 'Enabled'
      passwordAuth: 'Disabled'
      tenantId: tenant().tenantId
    }
    storage: {
      storageSizeGB: storageSizeGB
      autoGrow: 'Enabled'
    }
    backup: {
      backupRetentionDays: backupRetentionDays
      geoRedundantBackup: geoRedundantBackup ? 'Enabled' : 'Disabled'
    }
    highAvailability: {
      mode: highAvailability
    }
    network: {
      publicNetworkAccess: isolated ? 'Disabled' : 'Enabled'
    }
    // Sunday night, UTC.
    maintenanceWindow: {
      customWindow: 'Enabled'
      dayOfWeek: 0
      startHour: 2
      startMinute: 0
    }
  }
}

// The server takes one change at a time (ServerIsBusy): what follows waits for each other.
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

resource serverLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'server-log'
  scope: server
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        category: 'PostgreSQLLogs'
        enabled: true
      }
    ]
  }
}

@description('Resource id of the server.')
output serverId string = server.id

@description('Host name of the server.')
output host string = server.properties.fullyQualifiedDomainName

metadata description = 'PostgreSQL Flexible Server with Entra authentication only. postgresql-settings.bicep configures it; deploy.sh creates database and roles, because ARM cannot create roles.'

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

@description('Storage in GB; it grows automatically when it is nearly full and never shrinks.')
@minValue(32)
param storageSizeGB int

@description('Standby that takes over when the server fails; Burstable sizes do not support one.')
@allowed([
  'Disabled'
  'SameZone'
  'ZoneRedundant'
])
param highAvailability string

@description('Days for which the server can be restored to any second.')
@minValue(7)
@maxValue(35)
param backupRetentionDays int

@description('Stores backups in the paired region too. Takes effect only when the server is created.')
param geoRedundantBackup bool

@description('Closed to the internet: reachable only through a private endpoint.')
param isolated bool

@description('Resource id of the workspace that receives the server’s log.')
param workspaceId string

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

@description('Name of the server.')
output serverName string = server.name

@description('Host name of the server.')
output host string = server.properties.fullyQualifiedDomainName

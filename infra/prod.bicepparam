using 'main.bicep'

// For patients: a standby in another zone, three copies of every image, backups for five weeks, an isolated network,
// one always-ready instance. Settings of the subscription come from the environment: see deploy.sh.
param environmentName = 'prod'

param administratorObjectId = readEnvironmentVariable('DERMAGATE_ADMIN_OBJECT_ID')
param administratorName = readEnvironmentVariable('DERMAGATE_ADMIN_NAME')
param administratorType = readEnvironmentVariable('DERMAGATE_ADMIN_TYPE')

param aiServiceUrl = readEnvironmentVariable('DERMAGATE_AI_SERVICE_URL')
param eligibilityServiceUrl = readEnvironmentVariable('DERMAGATE_ELIGIBILITY_SERVICE_URL', '')
param portalUrl = readEnvironmentVariable('DERMAGATE_PORTAL_URL', '')
param portalSku = readEnvironmentVariable('DERMAGATE_PORTAL_SKU', '')
param portalLocation = readEnvironmentVariable('DERMAGATE_PORTAL_LOCATION', 'westeurope')
param backofficeUrl = readEnvironmentVariable('DERMAGATE_BACKOFFICE_URL', '')
param vapidSubject = readEnvironmentVariable('DERMAGATE_VAPID_SUBJECT', '')
param fcmEnabled = bool(readEnvironmentVariable('DERMAGATE_FCM', 'false'))
param webPubSubSku = readEnvironmentVariable('DERMAGATE_WEB_PUBSUB', '')
param frontDoorId = readEnvironmentVariable('DERMAGATE_FRONT_DOOR_ID', '')
param publicUrl = readEnvironmentVariable('DERMAGATE_PUBLIC_URL', '')
param corsOrigins = readEnvironmentVariable('DERMAGATE_CORS_ORIGINS', '')
param mailFrom = readEnvironmentVariable('DERMAGATE_MAIL_FROM')
param emergencyNumber = readEnvironmentVariable('DERMAGATE_EMERGENCY_NUMBER', '112')
param crisisLine = readEnvironmentVariable('DERMAGATE_CRISIS_LINE', '')
param selfRegistrationRoles = ['patient']
param extraSettings = json(readEnvironmentVariable('DERMAGATE_SETTINGS', '{}'))
param rotatedSecretNames = readEnvironmentVariable('DERMAGATE_ROTATED_SECRETS', '')

param instanceMemoryMB = 2048
param httpConcurrency = 10
param maximumInstanceCount = 100
param alwaysReadyInstances = 1

param postgresServerName = readEnvironmentVariable('DERMAGATE_POSTGRES_SERVER', '')
param postgresSkuName = 'Standard_D4ds_v5'
param postgresStorageGB = 128
param postgresStorageGrownToGB = int(readEnvironmentVariable('DERMAGATE_POSTGRES_STORAGE_GB', '0'))
param postgresHighAvailability = 'ZoneRedundant'
param postgresBackupDays = 35
param postgresGeoRedundantBackup = true

param imageStorageSkuName = 'Standard_ZRS'
param imageRetentionDays = 11

param networkIsolation = true
param vaultPurgeProtection = true

param logRetentionDays = 90
param logDailyCapGB = 5

param alertEmails = split(readEnvironmentVariable('DERMAGATE_ALERT_EMAILS'), ',')
param availabilityFrequencySeconds = 300
param availabilityLocations = ['emea-nl-ams-azr', 'emea-gb-db3-azr', 'emea-fr-pra-edge', 'emea-se-sto-edge', 'us-va-ash-azr']
param monthlyBudget = int(readEnvironmentVariable('DERMAGATE_MONTHLY_BUDGET', '1500'))
param budgetStartDate = readEnvironmentVariable('DERMAGATE_BUDGET_START')

using 'main.bicep'

// For trials: small, scales to zero, no standby, reachable from the internet (with Entra tokens only).
// Settings of the subscription come from the environment: see deploy.sh.
param environmentName = 'dev'

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
param mailFrom = readEnvironmentVariable('DERMAGATE_MAIL_FROM', '')
param emergencyNumber = readEnvironmentVariable('DERMAGATE_EMERGENCY_NUMBER', '112')
param crisisLine = readEnvironmentVariable('DERMAGATE_CRISIS_LINE', '')
param selfRegistrationRoles = ['patient']
param logLevel = 'debug'
param extraSettings = json(readEnvironmentVariable('DERMAGATE_SETTINGS', '{}'))
param rotatedSecretNames = readEnvironmentVariable('DERMAGATE_ROTATED_SECRETS', '')

param instanceMemoryMB = 2048
param httpConcurrency = 10
param maximumInstanceCount = 40
param alwaysReadyInstances = 0

param postgresServerName = readEnvironmentVariable('DERMAGATE_POSTGRES_SERVER', '')
param postgresSkuName = 'Standard_B2s'
param postgresStorageGB = 32
param postgresStorageGrownToGB = int(readEnvironmentVariable('DERMAGATE_POSTGRES_STORAGE_GB', '0'))

param networkIsolation = false

param alertEmails = split(readEnvironmentVariable('DERMAGATE_ALERT_EMAILS'), ',')
param monthlyBudget = int(readEnvironmentVariable('DERMAGATE_MONTHLY_BUDGET', '150'))
param budgetStartDate = readEnvironmentVariable('DERMAGATE_BUDGET_START')

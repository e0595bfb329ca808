# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# The infrastructure: its current state, the preview, the deployment, and its outputs for later steps.

# The first version with Bicep parameter files and publishing to Flex Consumption:
# https://learn.microsoft.com/cli/azure/release-notes-azure-cli
minimum_cli=2.61.0

check_tools() {
  begin 'Check tools' 'Install the missing tool.'
  local tool
  for tool in az node npm openssl curl git; do
    command -v "$tool" >/dev/null || fail "$tool is not installed."
  done
  local version
  version=$(az version --query '"azure-cli"' --output tsv)
  if ! awk -v have="$version" -v want="$minimum_cli" 'BEGIN {
    split(have, h, "."); split(want, w, ".")
    for (i = 1; i <= 3; i++) { if (h[i] + 0 > w[i] + 0) exit 0; if (h[i] + 0 < w[i] + 0) exit 1 }
  }'; then
    fail "The az CLI is version $version; $minimum_cli or newer is needed: az upgrade"
  fi
}

check_sign_in() {
  begin 'Check sign-in' 'Sign in with az login and choose the subscription with az account set.'
  local account
  account=$(az account show --query '[name, id, user.name, user.type]' --output tsv) || fail 'You are not signed in.'
  { read -r subscription_name && read -r subscription_id && read -r user_name && read -r user_type; } <<<"$account" ||
    fail 'az account show returned less than expected.'
  say "$user_name ($user_type) in subscription $subscription_name ($subscription_id)"
}

check_settings() {
  begin 'Check settings' 'Set the variable in the environment; infra/deploy.sh --help explains each one.'
  local required='DERMAGATE_AI_SERVICE_URL DERMAGATE_ALERT_EMAILS' missing='' name
  # The parameter files read no number and no choice from an empty text.
  for name in DERMAGATE_EMERGENCY_NUMBER DERMAGATE_FCM DERMAGATE_PORTAL_LOCATION DERMAGATE_MONTHLY_BUDGET; do
    [[ -n ${!name:-} ]] || unset "$name"
  done
  if [[ $environment == prod ]]; then
    required+=' DERMAGATE_MAIL_FROM DERMAGATE_ADMIN_OBJECT_ID DERMAGATE_ADMIN_NAME DERMAGATE_ADMIN_TYPE'
  fi
  for name in $required; do
    [[ -n ${!name:-} ]] || missing+=" $name"
  done
  [[ -z $missing ]] || fail "Not set:$missing"
  [[ -z ${DERMAGATE_PORTAL_URL:-} ]] || check_https DERMAGATE_PORTAL_URL
  check_https DERMAGATE_AI_SERVICE_URL
  [[ -z ${DERMAGATE_ELIGIBILITY_SERVICE_URL:-} ]] || check_https DERMAGATE_ELIGIBILITY_SERVICE_URL
  [[ -z ${DERMAGATE_BACKOFFICE_URL:-} ]] || check_https DERMAGATE_BACKOFFICE_URL
  check_alert_emails
  check_push
  check_web_pubsub
  check_portal
  check_cors_origins
  check_mail
  check_front_door
  check_phone_number DERMAGATE_EMERGENCY_NUMBER
  check_phone_number DERMAGATE_CRISIS_LINE
  check_budget
  check_by_app
}

# These checks refuse what the app would refuse, before a running app restarts with settings that it cannot start with.

# check_https NAME: https, without credentials, query and fragment.
check_https() {
  [[ ${!1} =~ ^https://[^[:space:]@/?#]+(/[^[:space:]@?#]*)?$ ]] || fail "$1 must be an https address."
}

# Origins as browsers send them; http only for a portal in development on this machine.
check_cors_origins() {
  # In other locales a-z includes letters beyond ASCII.
  local LC_ALL=C rest=${DERMAGATE_CORS_ORIGINS:-} origin
  local exact='^(https://([a-z0-9.-]+|\[[0-9a-f:]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))(:[0-9]+)?$'
  while [[ -n $rest ]]; do
    origin=${rest%%,*}
    if [[ $rest == *,* ]]; then rest=${rest#*,}; else rest=''; fi
    [[ $origin =~ ^[[:space:]]*([^[:space:]].*[^[:space:]])?[[:space:]]*$ ]] && origin=${BASH_REMATCH[1]:-}
    [[ -z $origin || ($origin =~ $exact && $origin != https://*:443 && $origin != http://*:80) ]] ||
      fail "DERMAGATE_CORS_ORIGINS must be exact https origins such as https://portal.example.org, not $origin"
  done
}

check_mail() {
  local url=${MAIL_URL:-} from=${DERMAGATE_MAIL_FROM:-}
  local credentials='([^[:space:]@/?#:]+:[^[:space:]@/?#]+@)?'
  # The message leaves the password out.
  [[ -z $url || $url =~ ^smtps?://${credentials}[^[:space:]@/?#]+/?$ ]] ||
    fail 'MAIL_URL must be an address such as smtps://user:password@host:465'
  [[ -z $from || $from =~ ^[^[:space:]@,\<\>]+@[^[:space:]@,\<\>]+\.[^[:space:]@,\<\>]+$ ]] ||
    fail 'DERMAGATE_MAIL_FROM must be one bare address such as no-reply@example.org'
}

# The action group comes late in the deployment: what Azure refuses there leaves a half-made installation.
check_alert_emails() {
  local each='[^[:space:]@,]+@[^[:space:]@,]+'
  [[ $DERMAGATE_ALERT_EMAILS =~ ^$each(,$each)*$ ]] ||
    fail 'DERMAGATE_ALERT_EMAILS must be addresses such as oncall@example.org, separated by commas without spaces.'
}

check_push() {
  local subject=${DERMAGATE_VAPID_SUBJECT:-}
  [[ -z $subject || $subject =~ ^(mailto:[^[:space:]@]+@[^[:space:]@]+|https://[^[:space:]]+)$ ]] ||
    fail 'DERMAGATE_VAPID_SUBJECT must be a mailto: or https: address.'
  [[ ${DERMAGATE_FCM:-false} =~ ^(true|false)$ ]] || fail 'DERMAGATE_FCM must be true or false.'
}

check_web_pubsub() {
  [[ ${DERMAGATE_WEB_PUBSUB:-Free_F1} =~ ^(Free_F1|Standard_S1)$ ]] ||
    fail 'DERMAGATE_WEB_PUBSUB must be Free_F1 or Standard_S1.'
}

check_portal() {
  [[ ${DERMAGATE_PORTAL_SKU:-Free} =~ ^(Free|Standard)$ ]] || fail 'DERMAGATE_PORTAL_SKU must be Free or Standard.'
  [[ ${DERMAGATE_PORTAL_LOCATION:-westeurope} =~ ^(centralus|eastasia|eastus2|westeurope|westus2)$ ]] ||
    fail 'DERMAGATE_PORTAL_LOCATION must be centralus, eastasia, eastus2, westeurope or westus2.'
}

# A site of the last deployment stays unless the setting is empty: without it, the app would refuse the portal’s calls.
find_portal() {
  local last sku=''
  if [[ $group_exists == true ]]; then
    last=$(find_deployment)
    if [[ -n $last ]]; then
      sku=$(az deployment group show --resource-group "$group" --name "$last" \
        --query 'properties.outputs.portalSku.value' --output tsv)
    fi
  fi
  [[ $sku =~ ^(Free|Standard)$ ]] || sku=''
  if [[ -z $sku && -n $with_portal ]]; then
    if [[ $environment == prod ]]; then sku=Standard; else sku=Free; fi
  fi
  DERMAGATE_PORTAL_SKU=${DERMAGATE_PORTAL_SKU-$sku}
  [[ -z $with_portal || -n $DERMAGATE_PORTAL_SKU ]] || fail '--with-portal needs DERMAGATE_PORTAL_SKU to be Free or Standard.'
  [[ -n ${DERMAGATE_PORTAL_URL:-}$DERMAGATE_PORTAL_SKU ]] ||
    fail 'Not set: DERMAGATE_PORTAL_URL. Links in mails need it, or --with-portal.'
  export DERMAGATE_PORTAL_SKU
}

# The app answers only behind Front Door: alerts and the smoke test need its address.
check_front_door() {
  local id=${DERMAGATE_FRONT_DOOR_ID:-} url=${DERMAGATE_PUBLIC_URL:-}
  [[ -z $id || $id =~ ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$ && ! $id =~ ^[0-]+$ ]] ||
    fail 'DERMAGATE_FRONT_DOOR_ID must be a GUID: az afd profile show --query frontDoorId'
  [[ -z $id || -n $url ]] || fail 'DERMAGATE_FRONT_DOOR_ID needs DERMAGATE_PUBLIC_URL, the address of the Front Door.'
  [[ -z $url || $url =~ ^https://[^[:space:]@/?#]+$ ]] ||
    fail 'DERMAGATE_PUBLIC_URL must be an https address without a path.'
}

# The app’s own rules, which are more than those above: by its code, for all settings and secrets that reach it.
check_by_app() {
  # An empty text is no JSON.
  export DERMAGATE_SETTINGS=${DERMAGATE_SETTINGS:-"{}"}
  npm run --silent check-settings ||
    fail 'A setting, or a secret that the environment gives, has what the app does not accept.'
}

# check_phone_number NAME
check_phone_number() {
  local LC_ALL=C number=${!1:-}
  [[ -z $number || (${#number} -le 20 && $number =~ ^\+?[0-9]([ -]?[0-9])+$) ]] ||
    fail "$1 must be a telephone number of 2 to 20 characters: digits, single spaces or hyphens, + at the front."
}

check_budget() {
  [[ ${DERMAGATE_MONTHLY_BUDGET:-1} =~ ^[1-9][0-9]{0,8}$ ]] || fail 'DERMAGATE_MONTHLY_BUDGET must be a whole number.'
}

# Defaults to the signed-in identity.
find_administrator() {
  [[ -z ${DERMAGATE_ADMIN_OBJECT_ID:-} ]] || return 0
  begin 'Find the administrator' 'Set DERMAGATE_ADMIN_OBJECT_ID, DERMAGATE_ADMIN_NAME and DERMAGATE_ADMIN_TYPE.'
  local found
  if [[ $user_type == servicePrincipal ]]; then
    found=$(az ad sp show --id "$user_name" --query '[id, displayName]' --output tsv)
    DERMAGATE_ADMIN_TYPE=ServicePrincipal
  else
    found=$(az ad signed-in-user show --query '[id, userPrincipalName]' --output tsv)
    DERMAGATE_ADMIN_TYPE=User
  fi
  { read -r DERMAGATE_ADMIN_OBJECT_ID && read -r DERMAGATE_ADMIN_NAME; } <<<"$found" ||
    fail 'Entra returned less than expected.'
  export DERMAGATE_ADMIN_OBJECT_ID DERMAGATE_ADMIN_NAME DERMAGATE_ADMIN_TYPE
  say "$DERMAGATE_ADMIN_NAME"
}

# Reads the values that a second deployment cannot change: the size that storage has grown to and the start of the budget.
read_existing() {
  begin 'Read the current state' 'The signed-in identity must be able to read the resource group.'
  local ids id size start=''
  DERMAGATE_POSTGRES_STORAGE_GB=0
  group_exists=$(az group exists --name "$group" --output tsv)
  if [[ $group_exists == true ]]; then
    say "resource group $group"
    # Not in the head of the loop, where a failure would count as no server: storage would be asked to shrink.
    ids=$(az resource list --resource-group "$group" \
      --resource-type Microsoft.DBforPostgreSQL/flexibleServers --query '[].id' --output tsv)
    for id in $ids; do
      size=$(az resource show --ids "$id" --api-version 2025-08-01 \
        --query properties.storage.storageSizeGB --output tsv)
      say "PostgreSQL ${id##*/} with $size GB"
      if [[ $size -gt $DERMAGATE_POSTGRES_STORAGE_GB ]]; then DERMAGATE_POSTGRES_STORAGE_GB=$size; fi
    done
    start=$(az rest --method get --output tsv \
      --uri "/subscriptions/$subscription_id/resourceGroups/$group/providers/Microsoft.Consumption/budgets?api-version=2024-08-01" \
      --query "value[?starts_with(name, 'budget-dermagate-')].properties.timePeriod.startDate")
    check_group
    find_rotated_secrets
    read_last_deployment
    check_front_door_stays
    check_database_stays
    check_eligibility_stays
    check_numbers_stay
    check_further_settings_stay
  else
    say "no resource group $group: everything will be created"
  fi
  find_portal
  DERMAGATE_BUDGET_START=${start:0:10}
  if [[ ! $DERMAGATE_BUDGET_START =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then DERMAGATE_BUDGET_START=$(date -u +%Y-%m-01); fi
  export DERMAGATE_POSTGRES_STORAGE_GB DERMAGATE_BUDGET_START
}

# Names of storage accounts come from the group alone: two environments in one would share photos and settings.
check_group() {
  local other
  other=$(az deployment group list --resource-group "$group" --output tsv \
    --query "[?starts_with(name, 'dermagate-') && !starts_with(name, 'dermagate-$environment-')] | [0].name")
  [[ $other != dermagate-* ]] ||
    fail "The resource group $group belongs to another environment ($other). Choose one of its own: --resource-group"
}

# What the last successful deployment was given; all empty if there is none. An output that it does not have is `None`.
read_last_deployment() {
  local values
  last_deployment=$(find_deployment)
  [[ -n $last_deployment ]] || return 0
  values=$(az deployment group show --resource-group "$group" --name "$last_deployment" --output tsv \
    --query 'properties.outputs.[frontDoorId.value, eligibilityServiceUrl.value, extraSettingKeys.value, emergencyNumber.value, crisisLine.value, postgresServerId.value, appName.value]')
  # At the end what is never empty: Bash drops empty lines there.
  { read -r last_front_door && read -r last_eligibility && read -r last_settings && read -r last_emergency_number &&
    read -r last_crisis_line && read -r last_server && read -r last_app; } <<<"$values" ||
    fail "The deployment $last_deployment in $group lacks some outputs."
  last_server=${last_server##*/}
  last_secrets=$(az deployment group show --resource-group "$group" --name "$last_deployment" \
    --query 'properties.outputs.vaultSecretNames.value' --output tsv)
}

# A deployment that lacks the id would silently open the app to everyone.
check_front_door_stays() {
  [[ ! $last_front_door =~ ^[0-9a-fA-F-]{36}$ || -n ${DERMAGATE_FRONT_DOOR_ID+given} ]] ||
    fail "The app is behind Front Door $last_front_door. Set DERMAGATE_FRONT_DOOR_ID and DERMAGATE_PUBLIC_URL, or set both to an empty value to open the app to everyone."
}

# After a restore, a deployment that lacks the name would silently move the app to the old database, or to a new empty one.
# An empty value counts as none: for a database, only a name shows what is meant.
check_database_stays() {
  # Names of main.bicep: app and default server differ in their prefix only.
  local default=psql-${last_app#func-}
  [[ -z $last_deployment || -n ${DERMAGATE_POSTGRES_SERVER:-} || $last_server == "$default" ]] ||
    fail "The app uses the PostgreSQL server $last_server. Set DERMAGATE_POSTGRES_SERVER=$last_server, or DERMAGATE_POSTGRES_SERVER=$default to move the app to the database of that server."
}

# Without the service, tenants that ask for membership accept any external id.
check_eligibility_stays() {
  [[ $last_eligibility != https://* || -n ${DERMAGATE_ELIGIBILITY_SERVICE_URL+given} ]] ||
    fail "The app asks $last_eligibility who may submit cases. Set DERMAGATE_ELIGIBILITY_SERVICE_URL, or set it to an empty value to accept any external id."
}

# Patients would read a number that does not answer in their country, or none.
check_numbers_stay() {
  [[ ! $last_emergency_number =~ ^\+?[0-9] || $last_emergency_number == 112 || -n ${DERMAGATE_EMERGENCY_NUMBER:-} ]] ||
    fail "The app shows patients the emergency number $last_emergency_number. Set DERMAGATE_EMERGENCY_NUMBER, also if it is to be 112."
  [[ ! $last_crisis_line =~ ^\+?[0-9] || -n ${DERMAGATE_CRISIS_LINE+given} ]] ||
    fail "The app shows patients the crisis line $last_crisis_line. Set DERMAGATE_CRISIS_LINE, or set it to an empty value to show none."
}

# Without them, limits and requirements such as that of a verified address would silently return to their defaults.
check_further_settings_stay() {
  [[ ! $last_settings =~ ^[A-Z] || $last_settings == None || -n $settings_given ]] ||
    fail "The app has further settings: $last_settings. Set DERMAGATE_SETTINGS, or set it to an empty value to return to the defaults."
}

show_what_if() {
  begin 'Preview the changes' 'Correct the templates or settings that the message names; nothing was changed.'
  if [[ $group_exists != true ]]; then
    say "the resource group $group in $location, and everything in infra/main.bicep in it"
    return 0
  fi
  az deployment group what-if --resource-group "$group" --name "$deployment" \
    --parameters "infra/$environment.bicepparam"
}

provision() {
  begin 'Provision' "Read the errors: az deployment operation group list --resource-group $group --name $deployment"
  if [[ $group_exists != true ]]; then
    say "creating resource group $group in $location"
    az group create --name "$group" --location "$location" --tags application=dermagate --output none
  fi
  # No resource belongs to this provider, but the app’s subnet is delegated to it.
  if [[ $(az provider show --namespace Microsoft.App --query registrationState --output tsv) != Registered ]]; then
    say 'registering the provider Microsoft.App'
    az provider register --namespace Microsoft.App --wait --output none
  fi
  deploy_templates
  say 'provisioned'
}

# PostgreSQL may refuse its settings while its own deployment runs, also in a repeated deployment: so each attempt waits
# until it is ready, three attempts in all (Azure/azure-postgresql#127 and #134).
deploy_templates() {
  local try
  temporary_folder
  for try in first second last; do
    if az deployment group create --resource-group "$group" --name "$deployment" \
      --parameters "infra/$environment.bicepparam" --output none 2>&1 | tee "$temporary/answer" >&2; then
      return 0
    fi
    [[ $(<"$temporary/answer") =~ AadAuthOperationCannotBePerformedWhenServerIsNotAccessible|Server(Is)?Busy ]] ||
      fail 'Azure refused the deployment.'
    [[ $try != last ]] || fail "PostgreSQL was busy in each attempt: ${BASH_REMATCH[0]}"
    say "PostgreSQL was busy (${BASH_REMATCH[0]}): trying again when it is ready"
    try_for 30 postgres_is_ready || fail 'PostgreSQL did not become ready.'
  done
}

postgres_is_ready() {
  # Names of main.bicep. A restored server stands beside the one before it, often under a longer name.
  local id state is_ours="starts_with(name, 'psql-dermagate-$environment-')"
  if [[ -n ${DERMAGATE_POSTGRES_SERVER:-} ]]; then
    is_ours="name == '$DERMAGATE_POSTGRES_SERVER'"
  elif [[ -n $last_app ]]; then
    is_ours="name == 'psql-${last_app#func-}'"
  fi
  id=$(az resource list --resource-group "$group" --resource-type Microsoft.DBforPostgreSQL/flexibleServers --output tsv \
    --query "[?$is_ours].id") &&
    state=$(az resource show --ids "$id" --api-version 2025-08-01 --query properties.state --output tsv) &&
    [[ $state == Ready ]]
}

# The newest successful deployment; empty if there is none.
find_deployment() {
  az deployment group list --resource-group "$group" --output tsv \
    --query "sort_by([?starts_with(name, 'dermagate-$environment') && properties.provisioningState == 'Succeeded'], &properties.timestamp)[-1:].name"
}

# Sets the variables of later steps from the last successful deployment.
read_outputs() {
  begin 'Read the outputs' 'Deploy once without --code-only or --exec.'
  local names='appId appName appUrl identityName identityPrincipalId vaultName postgresServerId postgresHost databaseName administratorName networkIsolation' name values query='' last
  last=$(find_deployment)
  [[ -n $last ]] || fail "No deployment of this environment has succeeded in $group."
  for name in $names; do query+="${query:+, }properties.outputs.$name.value"; done
  values=$(az deployment group show --resource-group "$group" --name "$last" --query "[$query]" --output tsv)
  {
    read -r app_id && read -r app_name && read -r app_url && read -r identity_name && read -r identity_object_id &&
      read -r vault_name && read -r postgres_server_id && read -r postgres_host && read -r database_name &&
      read -r administrator_name && read -r network_isolation
  } <<<"$values" || fail "The deployment $last in $group lacks some outputs."
  [[ $network_isolation =~ ^([Tt]rue|[Ff]alse)$ ]] || fail "The deployment $last in $group lacks some outputs."
  vault_secret_names=$(az deployment group show --resource-group "$group" --name "$last" \
    --query 'properties.outputs.vaultSecretNames.value' --output tsv)
  say "$app_url"
}

# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Secrets are stored only in the Key Vault. They pass through files in a private folder, never through arguments, which
# every process of the machine can read, or through the output.

# The vault of this environment; empty if there is none.
find_vault() {
  az resource list --resource-group "$group" --resource-type Microsoft.KeyVault/vaults \
    --query "[?starts_with(name, 'kv-$environment-')].name" --output tsv
}

list_secrets() {
  az keyvault secret list --vault-name "$1" --query '[?attributes.enabled].name' --output tsv
}

has_secret() { [[ $'\n'$known_secrets$'\n' == *$'\n'"$1"$'\n'* ]]; }

# store NAME FILE
store() { az keyvault secret set --vault-name "$vault_name" --name "$1" --file "$2" --encoding utf-8 --output none; }

# Exports the names of the secrets whose previous value is still valid. Asks Azure Resource Manager, which knows names
# and no values, because the vault itself may not be reachable yet.
#
# A rotation stores the previous secret first. If that is newer than the current one, a rotation stopped halfway: both
# values are equal, and the app refuses to start with them.
find_rotated_secrets() {
  local vault listed name rotated=''
  vault=$(find_vault)
  if [[ -n $vault ]]; then
    listed=$(az rest --method get --output tsv \
      --uri "/subscriptions/$subscription_id/resourceGroups/$group/providers/Microsoft.KeyVault/vaults/$vault/secrets?api-version=2024-11-01" \
      --query 'value[?properties.attributes.enabled].[name, properties.attributes.created]')
    known_secrets=$(cut -f 1 <<<"$listed")
    for name in secret-key field-encryption-key; do
      has_secret "$name-previous" || continue
      if [[ $(created "$listed" "$name") -lt $(created "$listed" "$name-previous") ]]; then
        unfinished_rotation+=" $name"
        say "the rotation of $name stopped halfway without effect; repeat it with --rotate $name"
      elif [[ $name != "$retire" ]]; then
        rotated+="${rotated:+,}$name"
      fi
    done
  fi
  export DERMAGATE_ROTATED_SECRETS=$rotated
}

# created LIST NAME: creation time in seconds since 1970.
created() { awk -F '\t' -v name="$2" '$1 == name { print $2 }' <<<"$1"; }

# Before the preview, which shows the setting; rotate_secret makes the secret after the confirmation.
plan_rotation() {
  [[ -n $rotate$retire ]] || return 0
  vault_name=''
  if [[ $group_exists == true ]]; then vault_name=$(find_vault); fi
  [[ -n $vault_name ]] || fail 'There is no Key Vault to rotate a secret in.'
  if [[ -n $rotate ]]; then
    if has_secret "$rotate-previous" && [[ $unfinished_rotation != *" $rotate"* ]]; then
      fail "$rotate-previous is still valid: retire it first with --retire $rotate."
    fi
    DERMAGATE_ROTATED_SECRETS=${DERMAGATE_ROTATED_SECRETS:+$DERMAGATE_ROTATED_SECRETS,}$rotate
  fi
  # The setting must go before the secret, which ensure_secrets disables.
  if [[ -n $retire ]] && ! has_secret "$retire-previous"; then fail "There is no $retire-previous to retire."; fi
}

rotate_secret() {
  [[ -n $rotate ]] || return 0
  begin "Rotate $rotate" "With network isolation, run this from inside the network. Once $rotate is created, it takes effect with the next deployment that runs to its end, without --rotate."
  temporary_folder
  az keyvault secret download --vault-name "$vault_name" --name "$rotate" --file "$temporary/previous" --output none
  store "$rotate-previous" "$temporary/previous"
  generate "$rotate"
}

# generate NAME: 48 random bytes in base64, or exactly 32 for an AES-256 key; for Web Push a P-256 key, which is 32 bytes in
# base64url.
generate() {
  local bytes=48
  if [[ $1 == field-encryption-key || $1 == vapid-private-key ]]; then bytes=32; fi
  temporary_folder
  openssl rand -base64 "$bytes" | tr -d '\n' >"$temporary/new"
  if [[ $1 == vapid-private-key ]]; then
    tr '+/' '-_' <"$temporary/new" | tr -d '=' >"$temporary/url"
    mv "$temporary/url" "$temporary/new"
  fi
  store "$1" "$temporary/new"
  rm -f "$temporary/new"
  say "created $1"
}

# ensure_made NAME [VARIABLE]: creates a missing secret, but never replaces one that is only disabled or deleted, nor one
# with a VARIABLE for a restored database, whose passwords and encrypted fields need the old value.
ensure_made() {
  local all deleted
  if has_secret "$1"; then return 0; fi
  all=$(az keyvault secret list --vault-name "$vault_name" --query '[].name' --output tsv)
  if [[ $'\n'$all$'\n' == *$'\n'"$1"$'\n'* ]]; then
    fail "$1 is disabled. Enable it: az keyvault secret set-attributes --vault-name $vault_name --name $1 --enabled true"
  fi
  deleted=$(az keyvault secret list-deleted --vault-name "$vault_name" --query '[].id' --output tsv)
  if [[ $deleted$'\n' == */secrets/"$1"$'\n'* ]]; then
    fail "$1 is deleted. Recover it: az keyvault secret recover --vault-name $vault_name --name $1"
  fi
  if [[ $# -eq 1 ]]; then
    generate "$1"
  elif [[ -n ${!2:-} ]]; then
    take "$@"
  elif [[ -n ${DERMAGATE_POSTGRES_SERVER:-} ]] && ! is_new "$1"; then
    fail "$vault_name has no $1, which the restored database needs. Restore it from its backup, or set $2 in the environment once: docs/operations.md, Restoring."
  else
    generate "$1"
  fi
}

# is_new NAME: the app has already run with this database without the secret, so nothing in it can need an old value.
is_new() {
  [[ -n $last_deployment && $last_server == "$DERMAGATE_POSTGRES_SERVER" && $'\n'$last_secrets$'\n' != *$'\n'"$1"$'\n'* ]]
}

# take NAME VARIABLE: stores the variable’s value unless the vault already has it.
take() {
  local value=${!2:-}
  if [[ -z $value ]]; then
    has_secret "$1" || fail "The Key Vault has no $1: set $2 in the environment once."
    return 0
  fi
  temporary_folder
  printf '%s' "$value" >"$temporary/given"
  if has_secret "$1"; then
    rm -f "$temporary/current"
    az keyvault secret download --vault-name "$vault_name" --name "$1" --file "$temporary/current" --output none
    if cmp -s "$temporary/given" "$temporary/current"; then return 0; fi
  fi
  store "$1" "$temporary/given"
  say "stored $1"
}

# Secrets that only people have, each with the variable that gives it.
given_secrets='ai-service-key:AI_SERVICE_KEY eligibility-service-key:ELIGIBILITY_SERVICE_KEY mail-url:MAIL_URL fcm-service-account:FCM_SERVICE_ACCOUNT'

# wants NAME: whether the settings switch on what uses the secret, as secretNames in main.bicep.
wants() {
  case $1 in
    ai-service-key) ! grep -q '^param aiServiceKeyRequired = false' "infra/$environment.bicepparam" ;;
    eligibility-service-key) [[ -n ${DERMAGATE_ELIGIBILITY_SERVICE_URL:-} ]] ;;
    mail-url) [[ -n ${DERMAGATE_MAIL_FROM:-} ]] ;;
    fcm-service-account) [[ ${DERMAGATE_FCM:-} == true ]] ;;
    vapid-private-key) [[ -n ${DERMAGATE_VAPID_SUBJECT:-} ]] ;;
  esac
}

# A live app would restart with the text of the reference in place of a secret that the vault lacks, and refuse to start.
check_secrets() {
  [[ -n $last_deployment ]] || return 0
  begin 'Check the secrets' 'Nothing was changed. Set the variable by read -rs, as at the first deployment, or leave out the setting that uses it.'
  local each name variable
  for each in $given_secrets; do
    name=${each%%:*} variable=${each##*:}
    if wants "$name" && ! has_secret "$name" && [[ -z ${!variable:-} ]]; then
      fail "The Key Vault has no $name: set $variable in the environment once."
    fi
  done
}

# Runs before the settings that refer to the secrets: a live app would otherwise restart without them. Before the first
# successful deployment no app is live, and the vault may lack roles.
store_given_secrets() {
  [[ -n $last_deployment ]] || return 0
  local each variable needed=''
  for each in $given_secrets; do
    variable=${each##*:}
    if [[ -n ${!variable:-} ]]; then needed=yes; fi
  done
  if wants vapid-private-key && ! has_secret vapid-private-key; then needed=yes; fi
  [[ -n $needed ]] || return 0
  begin 'Store given secrets' 'With network isolation, run this from inside the network, or unset AI_SERVICE_KEY, ELIGIBILITY_SERVICE_KEY, MAIL_URL and FCM_SERVICE_ACCOUNT if they have not changed.'
  vault_name=$(find_vault)
  try_for 30 read_known_secrets || fail "The secrets of $vault_name cannot be listed."
  # First, because only this can fail: the key may be there, but disabled or deleted.
  if wants vapid-private-key; then ensure_made vapid-private-key VAPID_PRIVATE_KEY; fi
  for each in $given_secrets; do
    variable=${each##*:}
    if [[ -n ${!variable:-} ]]; then take "${each%%:*}" "$variable"; fi
  done
}

read_known_secrets() { known_secrets=$(list_secrets "$vault_name"); }

ensure_secrets() {
  begin 'Secrets' 'The administrator needs the role Key Vault Secrets Officer; provisioning assigns it, which takes effect within minutes. With network isolation, run this from inside the network.'
  try_for 30 read_known_secrets || fail "The secrets of $vault_name cannot be listed."
  local name
  for name in $vault_secret_names; do
    case $name in
      ai-service-key) take "$name" AI_SERVICE_KEY ;;
      eligibility-service-key) take "$name" ELIGIBILITY_SERVICE_KEY ;;
      mail-url) take "$name" MAIL_URL ;;
      fcm-service-account) take "$name" FCM_SERVICE_ACCOUNT ;;
      vapid-private-key) ensure_made "$name" VAPID_PRIVATE_KEY ;;
      *-previous) has_secret "$name" || fail "The Key Vault has no $name." ;;
      password-pepper) ensure_made "$name" PASSWORD_PEPPER ;;
      field-encryption-key) ensure_made "$name" FIELD_ENCRYPTION_KEY ;;
      *) ensure_made "$name" ;;
    esac
  done
  if [[ -n $retire ]]; then
    az keyvault secret set-attributes --vault-name "$vault_name" --name "$retire-previous" --enabled false --output none
    say "disabled $retire-previous"
  fi
  unresolved='Azure does not name them'
  try_for 30 secrets_resolved || fail "The app cannot read these secrets: $unresolved"
  say 'the app can read all of them'
}

# An unresolved reference would reach the app as its literal text, which is not secret. Without this refresh, Azure would
# notice new values and new roles only after up to 24 hours.
secrets_resolved() {
  az rest --method post --uri "$app_id/config/configreferences/appsettings/refresh?api-version=2022-03-01" --output none || return 1
  unresolved=$(az rest --method get --uri "$app_id/config/configreferences/appsettings?api-version=2022-03-01" \
    --query "value[?properties.status != 'Resolved'].name" --output tsv) && [[ -z $unresolved ]]
}

# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Creates, migrates and grants the database as the deploying Entra identity. The password is its token, which is passed in
# the environment of the commands, never in their arguments.

# encoded TEXT: every byte that may have a meaning in a URL is percent-encoded. Only builtins, because the token must not
# appear in the arguments of a process.
encoded() {
  # Characters are bytes, and A-Z has no letters beyond ASCII.
  local LC_ALL=C
  local text=$1 url='' i code byte
  for ((i = 0; i < ${#text}; i++)); do
    case ${text:i:1} in
      [A-Za-z0-9._~-]) url+=${text:i:1} ;;
      *)
        # Bash 3 counts the bytes from 128 on as negative.
        printf -v code '%d' "'${text:i:1}"
        printf -v byte '%%%02X' "$((code & 255))"
        url+=$byte
        ;;
    esac
  done
  printf '%s' "$url"
}

# Sets the URLs, and the variables of libpq’s tools (psql, pg_dump). The token is valid for about an hour. It is part of the
# URL, or the app’s code would request a token itself: on a build agent, with the machine’s identity instead of ours.
sign_in_to_database() {
  local token server
  token=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)
  server="postgresql://$(encoded "$administrator_name"):$(encoded "$token")@$postgres_host:5432"
  maintenance_url="$server/postgres?sslmode=verify-full"
  database_url="$server/$database_name?sslmode=verify-full"
  libpq=(PGHOST="$postgres_host" PGUSER="$administrator_name" PGPASSWORD="$token" PGDATABASE="$database_name"
    PGSSLMODE=verify-full PGSSLROOTCERT=system)
}

# Without network isolation the server’s firewall admits only Azure’s addresses; this adds ours temporarily.
open_firewall() {
  if [[ $network_isolation == [Tt]rue ]]; then return 0; fi
  local address=${DERMAGATE_CLIENT_IP:-}
  if [[ -z $address ]]; then address=$(curl --silent --show-error --fail --max-time 20 https://api.ipify.org); fi
  [[ $address =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]] || fail "Not an IPv4 address: $address"
  rule_uri="$postgres_server_id/firewallRules/deploy-$(date -u +%Y%m%d%H%M%S)-$$?api-version=2025-08-01"
  say "admitting $address to PostgreSQL until this step ends"
  az rest --method put --uri "$rule_uri" --output none \
    --body "{\"properties\": {\"startIpAddress\": \"$address\", \"endIpAddress\": \"$address\"}}"
  try_for 30 rule_exists || fail 'The firewall rule did not take effect.'
}

rule_exists() { az rest --method get --uri "$rule_uri" --output none 2>/dev/null; }

close_firewall() {
  [[ -n $rule_uri ]] || return 0
  if ! az rest --method delete --uri "$rule_uri" --output none; then
    printf 'The firewall rule could not be removed. Remove it: az rest --method delete --uri "%s"\n' "$rule_uri" >&2
  fi
  rule_uri=''
  remove_left_rules
}

# A run that was killed could not remove its rule. Younger ones may be in use: another person's session. The server may be
# busy with the rule before: then the next run removes them.
remove_left_rules() {
  local names name yesterday
  yesterday=deploy-$(node -p 'new Date(Date.now() - 864e5).toISOString().replace(/\D/g, "").slice(0, 14)')
  names=$(az rest --method get --uri "$postgres_server_id/firewallRules?api-version=2025-08-01" --output tsv \
    --query "value[?starts_with(name, 'deploy-')].name") || return 0
  for name in $names; do
    [[ $name < $yesterday ]] || continue
    say "removing the firewall rule $name, which a run that was killed has left"
    az rest --method delete --uri "$postgres_server_id/firewallRules/$name?api-version=2025-08-01" --output none || return 0
  done
}

# Runs before the code is published, so from version 0.1.0 on migrations must work with the running code (expand and contract).
migrate_database() {
  begin 'Database' 'The old code keeps running. The next run continues with the migration that failed. With network isolation, run this from inside the network.'
  open_firewall
  sign_in_to_database
  DATABASE_URL=$maintenance_url npm run --silent db:prepare -- create --database "$database_name"
  DATABASE_URL=$database_url npm run --silent db:migrate
  DATABASE_URL=$maintenance_url npm run --silent db:prepare -- grant --role "$identity_name" --object-id "$identity_object_id"
  close_firewall
}

# libpq’s tools verify the server’s certificate with the machine’s certificates (sslrootcert=system) from version 16 on.
check_libpq() {
  local version
  version=$("$1" --version) || fail "$1 is not installed."
  [[ $version =~ \(PostgreSQL\)\ ([0-9]+) ]] || return 0
  [[ ${BASH_REMATCH[1]} -ge 16 ]] || fail "$version is too old; install 16 or newer: https://www.postgresql.org/download/"
}

run_with_database() {
  begin "Run $1" 'The command itself failed; see its output.'
  case ${1##*/} in psql | pg_*) check_libpq "$1" ;; esac
  open_firewall
  sign_in_to_database
  temporary_folder
  az keyvault secret download --vault-name "$vault_name" --name password-pepper --file "$temporary/pepper" --output none
  export "${libpq[@]}" DATABASE_URL="$database_url" PASSWORD_PEPPER
  PASSWORD_PEPPER=$(cat "$temporary/pepper")
  # For commands that open the photos: as the identity of az login, which is the one that gets a role for them. The SDK by
  # itself prefers an identity of the machine, such as that of a jump host.
  export AZURE_TOKEN_CREDENTIALS=${AZURE_TOKEN_CREDENTIALS:-AzureCliCredential}
  "$@"
  close_firewall
}

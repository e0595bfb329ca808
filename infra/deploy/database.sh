# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# The database: made, migrated and granted as the Entra identity that deploys. Its token is the password; it travels in
# the environment of the commands that need it, never in their arguments.

# By its input and not its arguments, because of the token.
encoded() { printf '%s' "$1" | node -p 'encodeURIComponent(fs.readFileSync(0, "utf8"))'; }

# Sets the addresses, and what libpq’s own tools (psql, pg_dump) read. The token holds for about an hour. It stands in the
# address, or the app’s code would ask for one itself: on a build agent, as the machine’s identity and not as ours.
sign_in_to_database() {
  local token server
  token=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)
  server="postgresql://$(encoded "$administrator_name"):$(encoded "$token")@$postgres_host:5432"
  maintenance_url="$server/postgres?sslmode=verify-full"
  database_url="$server/$database_name?sslmode=verify-full"
  libpq=(PGHOST="$postgres_host" PGUSER="$administrator_name" PGPASSWORD="$token" PGDATABASE="$database_name"
    PGSSLMODE=verify-full PGSSLROOTCERT=system)
}

# Without a network of its own the server lets only Azure’s addresses through: ours as well, while it is needed.
open_firewall() {
  if [[ $network_isolation == [Tt]rue ]]; then return 0; fi
  local address=${DERMAGATE_CLIENT_IP:-}
  if [[ -z $address ]]; then address=$(curl --silent --show-error --fail --max-time 20 https://api.ipify.org); fi
  [[ $address =~ ^[0-9]{1,3}(\.[0-9]{1,3}){3}$ ]] || fail "This is no IPv4 address: $address"
  rule_uri="$postgres_server_id/firewallRules/deploy-$(date -u +%Y%m%d%H%M%S)-$$?api-version=2025-08-01"
  say "letting $address through to PostgreSQL until this is done"
  az rest --method put --uri "$rule_uri" --output none \
    --body "{\"properties\": {\"startIpAddress\": \"$address\", \"endIpAddress\": \"$address\"}}"
  try_for 30 rule_exists || fail 'The firewall rule does not come into being.'
}

rule_exists() { az rest --method get --uri "$rule_uri" --output none 2>/dev/null; }

close_firewall() {
  [[ -n $rule_uri ]] || return 0
  if ! az rest --method delete --uri "$rule_uri" --output none; then
    printf 'The firewall rule could not be removed; do it: az rest --method delete --uri "%s"\n' "$rule_uri" >&2
  fi
  rule_uri=''
}

# Before the code, and so that the code that still runs goes on working (expand and contract).
migrate_database() {
  begin 'Database' 'Old code and data go on working, and the next run goes on with the migration that failed. With network isolation run this from inside the network.'
  open_firewall
  sign_in_to_database
  DATABASE_URL=$maintenance_url npm run --silent db:prepare -- create --database "$database_name"
  DATABASE_URL=$database_url npm run --silent db:migrate
  DATABASE_URL=$maintenance_url npm run --silent db:prepare -- grant --role "$identity_name" --object-id "$identity_object_id"
  close_firewall
}

# psql and its kin check the server’s certificate against those of the machine (sslrootcert=system) from libpq 16 on.
check_libpq() {
  local version
  version=$("$1" --version) || fail "$1 is not installed."
  [[ $version =~ \(PostgreSQL\)\ ([0-9]+) ]] || return 0
  [[ ${BASH_REMATCH[1]} -ge 16 ]] || fail "This is $version; 16 or newer is needed: https://www.postgresql.org/download/"
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
  "$@"
  close_firewall
}

#!/usr/bin/env bash
# Deploys Dermagate to Azure, or brings an installation to the newest version: infra/deploy.sh --help
# Every step can be repeated; after a failure the same command goes on where it is needed.
# shellcheck source-path=SCRIPTDIR/..
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=infra/deploy/report.sh
source infra/deploy/report.sh
# shellcheck source=infra/deploy/provision.sh
source infra/deploy/provision.sh
# shellcheck source=infra/deploy/secrets.sh
source infra/deploy/secrets.sh
# shellcheck source=infra/deploy/database.sh
source infra/deploy/database.sh
# shellcheck source=infra/deploy/publish.sh
source infra/deploy/publish.sh

usage() {
  cat <<'TEXT'
usage: infra/deploy.sh --env dev|prod [options]

  --env NAME             which installation: infra/NAME.bicepparam
  --what-if              only say what would change in Azure
  --code-only            leave the infrastructure as it is: migrate, publish, test
  --rotate SECRET        make a new secret-key or field-encryption-key; the old one holds until it is retired
  --retire SECRET        switch the old one off
  --resource-group NAME  default: rg-dermagate-ENV
  --location REGION      of a resource group that does not exist yet, default westeurope
  --yes                  do not ask before anything is changed
  --exec COMMAND …       run COMMAND with the installation’s database (DATABASE_URL, and PGHOST … for psql) and
                         PASSWORD_PEPPER, for example: --exec psql (16 or newer)
                         --exec npm run create-admin -- --email you@example.org --tenant-name "My clinic"

What differs from one subscription to the next is read from the environment:

  DERMAGATE_AI_SERVICE_URL   address of the AI service, https
  DERMAGATE_PORTAL_URL       where links in mails point, https
  DERMAGATE_ALERT_EMAILS     who is told when something is wrong, separated by commas
  DERMAGATE_MAIL_FROM        sender of mails (prod; dev sends none without it)
  DERMAGATE_ADMIN_OBJECT_ID, DERMAGATE_ADMIN_NAME, DERMAGATE_ADMIN_TYPE
                             who may deploy: an Entra group (User, Group or ServicePrincipal). Must be given for prod;
                             dev takes whoever is signed in
  DERMAGATE_CORS_ORIGINS     origins of browser apps, https, separated by commas; optional
  DERMAGATE_EMERGENCY_NUMBER telephone number for emergencies, 112 without it
  DERMAGATE_CRISIS_LINE      telephone number of a crisis line; without it none is named
  DERMAGATE_FRONT_DOOR_ID    id of the Azure Front Door profile in front of the app, the only way to it then; optional
  DERMAGATE_PUBLIC_URL       where clients reach the app, https: the Front Door endpoint or a domain of yours
  DERMAGATE_MONTHLY_BUDGET   in the currency of the subscription; optional
  DERMAGATE_POSTGRES_SERVER  name of a restored server to use instead; optional
  DERMAGATE_CLIENT_IP        this machine’s address as Azure sees it; asked of api.ipify.org without it
  AI_SERVICE_KEY, MAIL_URL   put into the Key Vault when they are set and differ from what it has
  PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY
                             put into a Key Vault that has none yet, for a restored database; made otherwise
TEXT
}

need_value() { [[ $# -gt 1 && $2 != --* ]] || refuse "$1 needs a value."; }

environment='' location=westeurope group='' action='' rotate='' retire='' unfinished_rotation='' assume_yes='' command=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --env) need_value "$@" && environment=$2 && shift ;;
    --location) need_value "$@" && location=$2 && shift ;;
    --resource-group) need_value "$@" && group=$2 && shift ;;
    --rotate) need_value "$@" && rotate=$2 && shift ;;
    --retire) need_value "$@" && retire=$2 && shift ;;
    --what-if) action='what-if' ;;
    --code-only) action='code-only' ;;
    --yes) assume_yes=yes ;;
    --exec)
      action='exec'
      shift
      command=("$@")
      break
      ;;
    --help | -h)
      usage
      finished=yes
      exit 0
      ;;
    *) refuse "Unknown option: $1" ;;
  esac
  shift
done
case $environment in
  dev | prod) ;;
  '') refuse 'Say which installation: --env dev or --env prod.' ;;
  *) refuse "There is no installation named $environment: --env dev or --env prod." ;;
esac
for name in $rotate $retire; do
  case $name in
    secret-key | field-encryption-key) ;;
    *) refuse "$name cannot be rotated: only secret-key and field-encryption-key can." ;;
  esac
done
if [[ -n $rotate$retire && -n $action ]]; then refuse '--rotate and --retire need a whole deployment.'; fi
if [[ $action == exec && ${#command[@]} -eq 0 ]]; then refuse '--exec needs a command.'; fi
group=${group:-rg-dermagate-$environment}
# Never the same twice: one that fails, or is under way, must not hide the outputs of the last that succeeded.
deployment=dermagate-$environment-$(date -u +%Y%m%d%H%M%S)

check_tools
check_sign_in
case $action in
  what-if)
    check_settings
    find_administrator
    read_existing
    show_what_if
    ;;
  exec)
    read_outputs
    run_with_database "${command[@]}"
    ;;
  code-only)
    read_outputs
    confirm "Migrate the database and publish commit $(commit) to $app_name?"
    migrate_database
    publish
    smoke_test
    ;;
  *)
    check_settings
    find_administrator
    read_existing
    rotate_secrets
    show_what_if
    confirm "Make these changes in $group and publish commit $(commit)?"
    store_given_secrets
    provision
    read_outputs
    ensure_secrets
    migrate_database
    publish
    smoke_test
    ;;
esac
succeeded

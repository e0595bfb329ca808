#!/usr/bin/env bash
# Deploys Dermagate to Azure or updates a deployment: infra/deploy.sh --help
# Every step is idempotent: after a failure, run the same command again.
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

  --env NAME             which environment: infra/NAME.bicepparam
  --what-if              show what would change in Azure, and change nothing
  --with-portal          build the portal for this app and upload it to an Azure Static Web App, which is created
  --code-only            migrate, publish and test without touching the infrastructure
  --rotate SECRET        create a new secret-key or field-encryption-key; the old one stays valid until it is retired
  --retire SECRET        disable the old one
  --resource-group NAME  default: rg-dermagate-ENV
  --location REGION      of a new resource group; default: westeurope
  --yes                  make changes without asking
  --help                 show this text
  --exec COMMAND …       run COMMAND with the database (DATABASE_URL, and PGHOST … for psql) and
                         PASSWORD_PEPPER, for example: --exec psql (16 or newer)
                         --exec npm run create-admin -- --email you@example.org --tenant-name "My clinic"

Settings of the subscription come from the environment:

  DERMAGATE_AI_SERVICE_URL   address of the AI service, https
  DERMAGATE_ELIGIBILITY_SERVICE_URL
                             address of the service that knows who may submit cases, https; optional
  DERMAGATE_PORTAL_URL       base address of links in mails, https; default: the site of --with-portal
  DERMAGATE_PORTAL_SKU       Free (default of dev) or Standard (of prod): plan of the site of --with-portal; empty: none any more
  DERMAGATE_PORTAL_LOCATION  region that manages this site; default: westeurope
  DERMAGATE_BACKOFFICE_URL   base address of links in mails to staff, https; default: the portal’s
  DERMAGATE_VAPID_SUBJECT    mailto: or https: address that push services may contact; without it browsers get no push
                             messages
  DERMAGATE_FCM              true: phones get push messages by Firebase Cloud Messaging
  DERMAGATE_WEB_PUBSUB       Free_F1 (trials) or Standard_S1: live counts in the back office by Azure Web PubSub; optional
  DERMAGATE_ALERT_EMAILS     recipients of alerts, separated by commas
  DERMAGATE_MAIL_FROM        sender of mails; required for prod, without it dev sends none
  DERMAGATE_ADMIN_OBJECT_ID, DERMAGATE_ADMIN_NAME, DERMAGATE_ADMIN_TYPE
                             the deploying identity, best an Entra group (User, Group or ServicePrincipal). Required for prod;
                             dev defaults to the signed-in identity
  DERMAGATE_CORS_ORIGINS     origins of browser apps, https, separated by commas; optional
  DERMAGATE_EMERGENCY_NUMBER telephone number of the emergency services, default: 112
  DERMAGATE_CRISIS_LINE      telephone number of a crisis line; without it none is shown
  DERMAGATE_FRONT_DOOR_ID    id of the Azure Front Door profile in front of the app, which then serves no other traffic; optional
  DERMAGATE_PUBLIC_URL       public address of the app, https: the Front Door endpoint or your own domain
  DERMAGATE_SETTINGS         further settings of the app (docs/configuration.md) as JSON: {"REQUIRE_VERIFIED_EMAIL": "true"}; optional
  DERMAGATE_MONTHLY_BUDGET   amount in the currency of the subscription; optional
  DERMAGATE_POSTGRES_SERVER  name of a restored server to use; from then on in every deployment
  DERMAGATE_CLIENT_IP        this machine’s public address; default: the answer of api.ipify.org
  AI_SERVICE_KEY, ELIGIBILITY_SERVICE_KEY, MAIL_URL, FCM_SERVICE_ACCOUNT
                             stored in the Key Vault if they are set and differ from its values; each is needed once
                             for the setting that uses it
  PASSWORD_PEPPER, FIELD_ENCRYPTION_KEY, VAPID_PRIVATE_KEY
                             stored in a Key Vault without them, for a restored database; otherwise generated
TEXT
}

need_value() {
  [[ $# -gt 1 && $2 != --* ]] || refuse "$1 needs a value."
  # The last would win, for example another environment than was meant first.
  [[ " $given " != *" $1 "* ]] || refuse "$1 is given twice."
  given+=" $1"
}

# choose ACTION: the last of two would win, and --what-if --code-only would publish.
choose() {
  [[ -z $action || $action == "$1" ]] || refuse "--$action and --$1 exclude each other."
  action=$1
}

given='' with_portal='' environment='' location=westeurope group='' action='' rotate='' retire='' unfinished_rotation='' assume_yes='' command=()
settings_given=${DERMAGATE_SETTINGS+yes}
last_deployment='' last_app='' last_server='' last_front_door='' last_eligibility='' last_settings='' last_emergency_number='' last_crisis_line='' last_secrets='' known_secrets=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --env) need_value "$@" && environment=$2 && shift ;;
    --location) need_value "$@" && location=$2 && shift ;;
    --resource-group) need_value "$@" && group=$2 && shift ;;
    --rotate) need_value "$@" && rotate=$2 && shift ;;
    --retire) need_value "$@" && retire=$2 && shift ;;
    --what-if) choose what-if ;;
    --code-only) choose code-only ;;
    --with-portal) with_portal=yes ;;
    --yes) assume_yes=yes ;;
    --exec)
      choose exec
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
  '') refuse 'Choose an environment: --env dev or --env prod.' ;;
  *) refuse "Unknown environment $environment: use --env dev or --env prod." ;;
esac
for name in $rotate $retire; do
  case $name in
    secret-key | field-encryption-key) ;;
    *) refuse "$name cannot be rotated: only secret-key and field-encryption-key can." ;;
  esac
done
if [[ -n $rotate$retire && -n $action ]]; then refuse '--rotate and --retire need a full deployment: drop --what-if, --code-only and --exec.'; fi
if [[ $action == exec && ${#command[@]} -eq 0 ]]; then refuse '--exec needs a command.'; fi
group=${group:-rg-dermagate-$environment}
# A unique name: a failed or running deployment must not hide the outputs of the last successful one.
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
    [[ -z $with_portal ]] || publish_portal
    ;;
  *)
    check_settings
    find_administrator
    read_existing
    check_secrets
    plan_rotation
    show_what_if
    confirm "Make these changes in $group${rotate:+, create a new $rotate} and publish commit $(commit)?"
    store_given_secrets
    rotate_secret
    provision
    read_outputs
    ensure_secrets
    migrate_database
    publish
    smoke_test
    [[ -z $with_portal ]] || publish_portal
    ;;
esac
succeeded

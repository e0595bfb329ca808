# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# Packages, publishes and tests the code.

publish() {
  begin 'Package' 'Correct the build errors; the old code keeps running.'
  npm run --silent package
  [[ -s dist/dermagate.zip ]] || fail 'npm run package did not write dist/dermagate.zip.'
  say "commit $(commit)$(git diff --quiet HEAD 2>/dev/null || echo ' with uncommitted changes')"

  begin 'Publish' "The old code keeps running until the new code is published. To go back: check out the older commit and run infra/deploy.sh --env $environment --code-only"
  az functionapp deployment source config-zip --resource-group "$group" --name "$app_name" \
    --src dist/dermagate.zip --build-remote false --output none
}

# The az CLI cannot upload a static site; Microsoft’s CLI for it can. It is fetched when it is needed, at this version.
static_web_apps_cli=@azure/static-web-apps-cli@2.0.10

# Builds the portal for the deployed app and uploads it. The upload token is read for this step and passed in the
# environment.
publish_portal() {
  begin 'Portal' "The gateway is published; only the portal is missing or old. To repeat this alone: infra/deploy.sh --env $environment --code-only --with-portal"
  local values site_name='' site_url='' live_url='' token entry
  values=$(az deployment group show --resource-group "$group" --name "$(find_deployment)" --output tsv \
    --query 'properties.outputs.[portalName.value, siteUrl.value, liveUrl.value]')
  { read -r site_name && read -r site_url && read -r live_url; } <<<"$values" || true
  [[ $site_url == https://* ]] || fail 'There is no site for the portal yet: run with --with-portal and without --code-only.'
  if [[ $live_url != https://* ]]; then live_url=''; fi
  GATEWAY_URL=$app_url LIVE_URL=$live_url npm run --silent portal:build
  entry=$(grep -o 'assets/index-[A-Za-z0-9_-]*\.js' dev/apps/portal/dist/index.html) || fail 'npm run portal:build wrote no page.'
  token=$(az staticwebapp secrets list --resource-group "$group" --name "$site_name" --query properties.apiKey --output tsv)
  SWA_CLI_DEPLOYMENT_TOKEN=$token npx --yes "$static_web_apps_cli" deploy dev/apps/portal/dist --env production
  # The CLI has reported success without an upload: only the page itself proves it.
  try_for 30 serves_now "$site_url" "$entry" || fail "$site_url does not serve this build."
  say "$site_url serves the portal"
}

serves_now() {
  local page
  page=$(curl --silent --show-error --max-time 30 "$1/" 2>&1) && [[ $page == *"$2"* ]]
}

smoke_test() {
  begin 'Smoke test' "The new code is published but fails its health checks. The workbook shows its log; hostLogEnabled = true adds the host’s log. To go back: check out the older commit and run infra/deploy.sh --env $environment --code-only"
  answers /healthy '"status":"healthy"'
  answers /health '"database":"connected"'
}

# answers PATH TEXT: 200 with TEXT in the body, within five minutes: on a first start, roles may take time to apply.
answers() {
  try_for 30 answers_now "$1" "$2" || fail "$app_url$1 answers: ${answer:-nothing}"
  say "$app_url$1 is healthy"
}

answers_now() {
  answer=$(curl --silent --show-error --max-time 30 "$app_url$1" 2>&1) && [[ $answer == *"$2"* ]]
}

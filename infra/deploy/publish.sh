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

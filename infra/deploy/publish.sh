# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# The code: bundled, published and asked how it is.

publish() {
  begin 'Package' 'Correct what the build says; the old code goes on running.'
  npm run --silent package
  [[ -s dist/dermagate.zip ]] || fail 'npm run package left no dist/dermagate.zip.'
  say "commit $(commit)$(git diff --quiet HEAD 2>/dev/null || echo ' with uncommitted changes')"

  begin 'Publish' "The old code goes on running until the new one is there. To go back: check out the older commit and run infra/deploy.sh --env $environment --code-only"
  az functionapp deployment source config-zip --resource-group "$group" --name "$app_name" \
    --src dist/dermagate.zip --build-remote false --output none
}

smoke_test() {
  begin 'Smoke test' "The new code is published but not well. Its log is in the workbook, the host’s own with hostLogEnabled = true. To go back: check out the older commit and run infra/deploy.sh --env $environment --code-only"
  answers /healthy '"status":"healthy"'
  answers /health '"database":"connected"'
}

# answers PATH TEXT: 200 with TEXT in the body, within five minutes: a first start may have to wait for roles to act.
answers() {
  try_for 30 answers_now "$1" "$2" || fail "$app_url$1 answers: ${answer:-nothing}"
  say "$app_url$1 is well"
}

answers_now() {
  answer=$(curl --silent --show-error --max-time 30 "$app_url$1" 2>&1) && [[ $answer == *"$2"* ]]
}

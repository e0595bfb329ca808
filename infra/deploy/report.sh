# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# The script’s output: each step as it begins and, after a failure, the finished steps and how to continue.

current_step='' how_to_go_on='' finished_steps='' finished='' temporary='' rule_uri=''

# begin NAME HINT: starts a step; HINT helps if it fails.
begin() {
  if [[ -n $current_step ]]; then finished_steps+="  done: $current_step"$'\n'; fi
  current_step=$1 how_to_go_on=$2
  printf '\n==> %s\n' "$1"
}

say() { printf '    %s\n' "$*"; }

# refuse MESSAGE: ends the script because of its arguments, before it has done anything.
refuse() {
  printf '%s\nSee infra/deploy.sh --help\n' "$1" >&2
  finished=refused
  exit 2
}

# fail MESSAGE: ends the script in the current step.
fail() {
  printf '\n%s\n' "$1" >&2
  exit 1
}

confirm() {
  [[ -z $assume_yes ]] || return 0
  [[ -t 0 ]] || fail 'No terminal to confirm on: add --yes.'
  local answer
  read -r -p "$1 [y/N] " answer
  [[ $answer == [yY]* ]] || fail 'Nothing was changed.'
}

succeeded() {
  finished=yes
  printf '\nDone.\n'
  if [[ $action != '' ]]; then return 0; fi
  printf 'Create the first admin, once: infra/deploy.sh --env %s --exec npm run create-admin -- --email <address> --tenant-name <name>\n' "$environment"
}

# Runs at every exit.
on_exit() {
  local status=$?
  set +e
  close_firewall
  [[ -z $temporary ]] || rm -rf "$temporary"
  [[ -z $finished ]] || exit "$status"
  {
    printf '\nStopped%s.\n' "${current_step:+ at: $current_step}"
    printf '%s' "$finished_steps"
    [[ -z $how_to_go_on ]] || printf 'How to continue: %s\n' "$how_to_go_on"
    printf 'Repeating the same command is safe: existing resources stay.\n'
  } >&2
  if [[ $status -eq 0 ]]; then status=1; fi
  exit "$status"
}
trap on_exit EXIT
trap 'exit 130' INT TERM HUP

# A folder that only this user can read; removed at exit.
temporary_folder() {
  [[ -n $temporary ]] || temporary=$(mktemp -d)
}

# try_for TIMES COMMAND …: repeats COMMAND until it succeeds, with pauses.
try_for() {
  local times=$1 try
  shift
  for ((try = 1; try <= times; try++)); do
    if "$@"; then return 0; fi
    if [[ $try -lt $times ]]; then sleep "${DERMAGATE_RETRY_SECONDS:-10}"; fi
  done
  return 1
}

commit() { git rev-parse --short HEAD 2>/dev/null || echo unknown; }

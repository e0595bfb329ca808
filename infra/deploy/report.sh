# shellcheck shell=bash disable=SC2034,SC2154 # the parts share their variables
# What the script tells: each step as it begins, and when one fails what was done and how to go on.

current_step='' how_to_go_on='' finished_steps='' finished='' temporary='' rule_uri=''

# begin NAME HINT: a step starts; HINT says what helps when it fails.
begin() {
  if [[ -n $current_step ]]; then finished_steps+="  done: $current_step"$'\n'; fi
  current_step=$1 how_to_go_on=$2
  printf '\n==> %s\n' "$1"
}

say() { printf '    %s\n' "$*"; }

# refuse MESSAGE: a call that makes no sense; nothing has been done.
refuse() {
  printf '%s\nSee infra/deploy.sh --help\n' "$1" >&2
  finished=refused
  exit 2
}

# fail MESSAGE: the current step cannot go on.
fail() {
  printf '\n%s\n' "$1" >&2
  exit 1
}

confirm() {
  [[ -z $assume_yes ]] || return 0
  [[ -t 0 ]] || fail 'Nobody is there to confirm: add --yes.'
  local answer
  read -r -p "$1 [y/N] " answer
  [[ $answer == [yY]* ]] || fail 'Nothing was changed.'
}

succeeded() {
  finished=yes
  printf '\nDone.\n'
  if [[ $action != '' ]]; then return 0; fi
  printf 'The first admin, once: infra/deploy.sh --env %s --exec npm run create-admin -- --email <address> --tenant-name <name>\n' "$environment"
}

# Runs at the end, whatever happened.
on_exit() {
  local status=$?
  set +e
  close_firewall
  [[ -z $temporary ]] || rm -rf "$temporary"
  [[ -z $finished ]] || exit "$status"
  {
    printf '\nStopped%s.\n' "${current_step:+ at: $current_step}"
    printf '%s' "$finished_steps"
    [[ -z $how_to_go_on ]] || printf 'How to go on: %s\n' "$how_to_go_on"
    printf 'Repeating the same command is safe: what is there already is left as it is.\n'
  } >&2
  if [[ $status -eq 0 ]]; then status=1; fi
  exit "$status"
}
trap on_exit EXIT
trap 'exit 130' INT TERM HUP

# A folder that only we can read, removed at the end.
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

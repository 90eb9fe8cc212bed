set -u
[ -n "$SERVER" ] || { echo 'SERVER is to be set: the command that starts the server, which finds PORT, BASE_URL and APP_TOKEN in its environment' >&2; exit 2; }
for tool in curl jq; do command -v "$tool" >/dev/null || { echo "this takes $tool" >&2; exit 2; }; done
PORT=${PORT:-18555}
BASE_URL=${BASE_URL:-http://127.0.0.1:$PORT}
APP_TOKEN=${APP_TOKEN:-app-$$-$(date +%s)}
CURL_FLAGS=${CURL_FLAGS:-} # such as -k
export PORT BASE_URL APP_TOKEN
work=$(mktemp -d) || exit 2
PID=
FOUND=0
BODY=$work/body
STARTS=0
trap 'signal KILL 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP

start() {
  if command -v setsid >/dev/null; then setsid sh -c "$SERVER" >"$work/server" 2>&1 & else sh -c "$SERVER" >"$work/server" 2>&1 & fi
  PID=$!
  STARTS=$((STARTS + 1))
  tries=0
  until curl -gs $CURL_FLAGS -o /dev/null "$BASE_URL/versions"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ]; then
      echo 'the server does not answer; it said:'
      tail -n 5 "$work/server"
      [ "$STARTS" -gt 1 ] && exit 1
      exit 2
    fi
    sleep 0.1
  done
}

signal() {
  [ -n "$PID" ] || return 0
  kill -"$1" -- "-$PID" 2>/dev/null || kill -"$1" "$PID" 2>/dev/null
  case $1 in TERM | KILL)
    wait "$PID" 2>/dev/null
    PID=
    ;;
  esac
}

# call METHOD PATH SESSION [BODY]: the status is in STATUS, the body in a file.
call() {
  if [ $# -gt 3 ]; then
    STATUS=$(printf 'user = "%s:%s"\n' "$APP_TOKEN" "$3" | curl -gs $CURL_FLAGS -K - -o "$work/body" -w '%{http_code}' -X "$1" -A conform-script -H 'Accept: application/json' -H 'Content-Type: application/json' --data-binary "$4" "$BASE_URL$2")
  else
    STATUS=$(printf 'user = "%s:%s"\n' "$APP_TOKEN" "$3" | curl -gs $CURL_FLAGS -K - -o "$work/body" -w '%{http_code}' -X "$1" -A conform-script -H 'Accept: application/json' "$BASE_URL$2")
  fi
}

# must STEP: a step that works before a restart works after it.
must() {
  echo "$1: $STATUS"
  case $STATUS in 2??) return ;; esac
  [ "$STARTS" -gt 1 ] || { echo 'this fails without a restart, too' >&2; exit 2; }
  FOUND=1
}

ok() { case $STATUS in 2??) return 0 ;; esac; return 1; }

field() { jq -r --arg name "$1" '.[$name] // "" | tostring' "$work/body" 2>/dev/null; }

# given KIND: an id that was not given before.
given() {
  ID=$(field id)
  if [ "$IDS" = 1 ] && grep -qxF "$1 $ID" "$work/ids" 2>/dev/null; then
    echo "the id $ID of a $1 was given before"
    FOUND=1
  fi
  echo "$1 $ID" >>"$work/ids"
}

follow() { jq -cn --arg id "$1" '{type: "follow", user_to_id: $id}'; }
follow_number() { jq -cn --arg id "$1" '{type: "follow", user_to_id: ($id | tonumber)}'; }

# What the two fields of an object hold that a write changes together.
BOTH='def both($f): if .[$f] == .metadata.again then .[$f] // "nothing in " + $f else $f + " " + (.[$f] // "") + " and metadata " + (.metadata.again // "") end;'

# looked WHAT EXPECTED: compares with what the view shows, in SHOWN.
looked() {
  echo "$1: expected ${2:-no}, got ${SHOWN:-no}"
  [ "$2" = "$SHOWN" ] || FOUND=1
}

served() { case $STATUS in 2??) SHOWN=there ;; *) SHOWN= ;; esac; }

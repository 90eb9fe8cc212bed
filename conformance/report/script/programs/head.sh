word() { LC_ALL=C tr -dc "$1" </dev/urandom | dd bs="$2" count=1 2>/dev/null; }
fetch() { curl -sS $trust ${CA_CERT:+--cacert "$CA_CERT"} "$@"; } # a bundle that the machine presets does not count
begin() {
  home=$(mktemp -d) || exit 2
  dir=$home
  : >"$home/left"; : >"$home/known"
  trap tidy EXIT
  trap 'exit 2' HUP INT TERM
}
tidy() { # deletes the users that were made
  while IFS= read -r user; do
    app=$(part app) token=$(part token)
    if [ -z "$token" ]; then # made without a session: it takes one to delete it
      printf '%s' "$user" | jq -c '{user_name: .name, password}' >"$home/login"
      token=$(fetch -u "$app:" -A conform-reproduction -H 'Accept: application/json' -H 'Content-Type: application/json' --data-binary @"$home/login" --url "$BASE_URL/0.2/user/login" 2>"$home/gone" | jq -er .session_token 2>"$home/gone") || continue
    fi
    fetch -o "$home/gone" -X DELETE -u "$app:$token" -A conform-reproduction -H 'Accept: application/json' --url "$BASE_URL/0.2/user" 2>"$home/gone"
  done <"$home/left"
  rm -rf "$home"
}
part() { printf '%s' "$user" | jq -j --arg name "$1" '.[$name] // ""'; }
leave() { jq -cn --arg app "$1" --arg token "$2" --arg name "$3" --arg password "$4" '$ARGS.named' >>"$home/left"; } # a user to delete
session() { ! take session_token 2>/dev/null || leave "$1" "$value" '' ''; } # $1 is the app token
made() { ! take user_name 2>/dev/null || leave "$1" '' "$value" "$2"; } # $2 is the password
aside() { # requests at the same time have folders of their own
  dir=$home/$1
  mkdir -p "$dir"
}
back() { dir=$home; }
send() { # a path and curl's arguments; leaves status, head and body in the folder
  path=$1
  shift
  : >"$dir/head"; : >"$dir/body"
  fetch -o "$dir/body" -D "$dir/head" -w '%{http_code}' -g --path-as-is "$@" --url "$BASE_URL$path" >"$dir/status" 2>"$dir/trouble" || cat "$dir/trouble" >&2
}
exact() { # JSON whose long integers are texts behind a #: jq may round them
  awk '{
    for (out = ""; match($0, /"([^"\\]|\\.)*"|[^" ,:{}\[\]]+/); $0 = substr($0, RSTART + RLENGTH)) {
      token = substr($0, RSTART, RLENGTH)
      if (token ~ /^-?[0-9]+$/ && length(token) > 15) token = "\"#" token "\""
      out = out substr($0, 1, RSTART - 1) token
    }
    print out $0
  }' "$1"
}
shown() { # the beginning of a text, in one line, without what steers a terminal
  jq -Rrs --argjson most 300 'length as $all | .[:$most] | explode | map(if . < 32 or . >= 127 and . < 160 then 32 else . end) | implode
    | if $all > $most then . + "… (\($most) of \($all) characters)" else . end' "$1"
}
take() { # sets value to a field of the answer's object
  value=$(exact "$dir/body" | jq -ej --arg field "$1" '.[$field] | select(. != null) | tostring | sub("^#(?<digits>-?[0-9]+)$"; .digits) | select(. != "" and (explode | index(0) | not))' 2>"$dir/trouble" && printf .) && value=${value%.} && [ -n "$value" ] && return # of no body at all jq says nothing
  if answered 000; then
    echo "there was no answer from $BASE_URL: is it running? CA_CERT=FILE names the authority of its certificate" >&2
  else
    printf 'got no %s from: %s\n' "$1" "$(cat "$dir/status") $(shown "$dir/body")" >&2
  fi
  return 1
}
upper() { printf '%s' "$1" | tr a-z A-Z; }
first() { printf '%s' "$1" | cut -c "1-$2"; }
in_path() { printf '%s' "$1" | jq -Rsr @uri; }
in_json() { printf '%s' "$1" | jq -Rsr 'tojson | .[1:-1]'; }
id() { jq -n --arg id "$1" '$id' >>"$home/known"; } # one that answers may hold
answered() { # whether the status is one of these, in which x is any digit
  status=$(cat "$dir/status")
  for wanted; do
    case $wanted in
    "$status") return 0 ;;
    ?xx) [ "${wanted%xx}" != "${status%??}" ] || return 0 ;;
    esac
  done
  return 1
}
again() { # whether the answer is the recorded one
  answered "$1" && [ "$(normal "$dir/body")" = "$(normal "$home/recorded")" ] && [ "$(fields "$dir/head")" = "$(fields "$home/recorded-head")" ]
}
again_in() { # whether the header field $2 is the recorded one, in an answer with the status $1
  answered "$1" && [ "$(field "$2" "$dir/head")" = "$(field "$2" "$home/recorded-head")" ]
}
ask() { # sends the deciding request until the failure shows in $1 answers, or $2 have not shown it; pauses $3 seconds
  tries=$1 right=0
  while :; do
    decide
    failure=no
    ! undecided || break
    ! failed || failure=yes
    if [ "$failure" = no ]; then
      right=$((right + 1))
      [ "$right" -lt "$2" ] || break
      [ "$right" -gt 1 ] || sleep "$3"
    else # the first answers may be stale
      tries=$((tries - 1))
      [ "$tries" -gt 0 ] && [ "$right" = 0 ] || break
      sleep 1
    fi
  done
}
tell() { # what was expected, what was blamed, and what it means that the failure is not there
  if undecided; then
    if answered 000; then
      echo 'there was no answer' >&2
    else
      echo "nothing was decided: the target answered $(cat "$dir/status"); try again in a minute" >&2
    fi
    exit 2
  fi
  printf 'expected: %s\n' "$1"
  printf 'got:      %s %s\n' "$(cat "$dir/status")" "$(shown "$dir/body")"
  if answered 401 403 && refuses "$APP_TOKEN"; then
    echo 'nothing could be tried: the target refuses the app token; set APP_TOKEN to that of one of its applications' >&2
    exit 2
  fi
  times=
  [ "$right" -le 1 ] || times=", in $right answers"
  if [ "$failure" = yes ]; then
    [ "$right" = 0 ] || times=", in one of $((right + 1)) answers"
    printf 'the failure is there%s: %s\n' "$times" "$2"
    exit 1
  fi
  printf 'the failure is not there%s%s\n' "$times" "$3"
}
attempts() { # plays the story until the failure shows, $1 times at most: it does not each time
  attempts=0 code=0
  while [ "$code" = 0 ] && [ "$attempts" -lt "$1" ]; do
    attempts=$((attempts + 1))
    said=$(attempt) || code=$?
  done
  printf '%s\n' "$said"
  [ "$code" != 0 ] || echo "so it was in each of $attempts attempts"
  [ "$code" != 1 ] || echo "this was attempt $attempts"
  exit "$code"
}
refuses() { # whether the target refuses an app token, here $1: if not, it makes a user
  name=$(word a-z 12) secret=$(word a-z 24)
  send /0.2/users -X POST -u "$1:" -A conform-reproduction -H 'Accept: application/json' -H 'Content-Type: application/json' --data-raw "{\"user_name\":\"$name\",\"password\":\"$secret\",\"email\":\"$name@example.com\"}"
  leave "$1" '' "$name" "$secret"
  answered 401 403
}
normal() { # a body without what differs from run to run; $1 is the file
  exact "$1" | jq -S -c --slurpfile known "$home/known" --arg since "${SINCE-}" 'walk(if type == "array" then map(if type == "number" then "number" else . end) else . end) | walk( # the id of an object is its client'"'"'s
    if type == "object" and (.object | type == "object") then .object |= with_entries(if .key == "id" then .key = "id of the object" else . end) else . end) | walk(
    if type == "object" then with_entries(
      if (.key | test("^(id|user_id|user_from_id|user_to_id)$")) and (.value | type | . == "number" or . == "string") then
        (.value | tostring | ltrimstr("#")) as $id | if $known | index($id) then . elif .value | tostring | startswith("#") then .value = "number id" else .value = (.value | type) + " id" end
      elif .key == "session_token" then .value = "token"
      elif (.key | test("password")) and (.value | type == "string") then .value = "password"
      elif (.key | test("_at$|^last_login$") | not) then .
      elif .value | type == "number" then .value = "number"
      elif .value | type == "string" and test("[0-9]") and (test("^000[01]-") | not) then .value |= (gsub("[0-9]"; "9") | gsub("[A-Za-z]+"; "a")) # a time in another form
      else . end)
    elif type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T") and (test("^000[01]-") | not) then
      (if . == $since then . elif $since != "" and test("Z$") then (if rtrimstr("Z") < ($since | rtrimstr("Z")) then "time before" else "time after" end)
      elif test("Z$") then "time Z" else "time" end)
    else . end)' 2>"$dir/trouble" || cat "$1"
}
field() { # the header field $1 of the head $2
  tr -d '\r' <"$2" | tr A-Z a-z | awk -F: -v name="$1" '$1 == name' | sort
}
fields() { # the header fields that rules are about
  tr -d '\r' <"$1" | grep -iE '^(content-type|allow|location|www-authenticate|access-control-[a-z-]*):' | tr A-Z a-z | sort
}


word() { LC_ALL=C tr -dc "$1" </dev/urandom | dd bs="$2" count=1 2>/dev/null; }
fetch() { curl -sS $trust ${CA_CERT:+--cacert "$CA_CERT"} "$@"; } # a bundle that the machine presets does not count
dir=$(mktemp -d) || exit 2
all= tokens= made=
tidy() {
  dir=${all:-$dir}
  for user in $made; do # made without a session: it takes one to delete it
    rest=${user#*,} app=${user#*,*,}
    jq -n --arg name "${user%%,*}" --arg password "${rest%%,*}" '{user_name: ($name | @base64d), password: $password}' >"$dir/login"
    token=$(fetch -u "$app:" -A conform-reproduction -H 'Accept: application/json' -H 'Content-Type: application/json' --data-binary @"$dir/login" "$BASE_URL/0.2/user/login" 2>"$dir/gone" | jq -er .session_token 2>"$dir/gone") && tokens="$tokens $token,$app"
  done
  for token in $tokens; do
    fetch -o "$dir/gone" -X DELETE -u "${token#*,}:${token%%,*}" -A conform-reproduction -H 'Accept: application/json' "$BASE_URL/0.2/user" 2>"$dir/gone"
  done
  rm -rf "$dir"
}
trap tidy EXIT
trap 'exit 2' HUP INT TERM
send() { # curl's arguments; leaves status, head and body in the folder
  : >"$dir/head"; : >"$dir/body"
  fetch -o "$dir/body" -D "$dir/head" -w '%{http_code}' "$@" >"$dir/status" 2>"$dir/trouble" || cat "$dir/trouble" >&2
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
take() { # a field of the answer's object
  value=$(exact "$dir/body" | jq -er --arg field "$1" '.[$field] | select(. != null) | tostring | sub("^#(?<digits>-?[0-9]+)$"; .digits)' 2>"$dir/trouble") && [ -n "$value" ] && printf '%s' "$value" && return # of no body at all jq says nothing
  if [ "$(cat "$dir/status")" = 000 ]; then
    echo "there was no answer from $BASE_URL: is it running? CA_CERT=FILE names the authority of its certificate" >&2
  else
    printf 'got no %s from: %s\n' "$1" "$(cat "$dir/status") $(shown "$dir/body")" >&2
  fi
  return 1
}
refuses() { # whether the target refuses an app token, here $1: if not, it makes a user
  name=$(word a-z 12) secret=$(word a-z 24)
  send -X POST -u "$1:" -A conform-reproduction -H 'Accept: application/json' -H 'Content-Type: application/json' --data-raw "{\"user_name\":\"$name\",\"password\":\"$secret\",\"email\":\"$name@example.com\"}" "$BASE_URL/0.2/users"
  made="$made $(printf '%s' "$name" | jq -Rsr @base64),$secret,$1"
  case $(cat "$dir/status") in 401 | 403) return 0 ;; esac
  return 1
}
normal() { # a body without what differs from run to run; $1 is the file
  exact "$1" | jq -S -c --arg known " $known " --arg since "${SINCE-}" 'walk(if type == "array" then map(if type == "number" then "number" else . end) else . end) | walk( # the id of an object is its client'"'"'s
    if type == "object" and (.object | type == "object") then .object |= with_entries(if .key == "id" then .key = "id of the object" else . end) else . end) | walk(
    if type == "object" then with_entries(
      if (.key | test("^(id|user_id|user_from_id|user_to_id)$")) and (.value | type | . == "number" or . == "string") then
        (.value | tostring | ltrimstr("#")) as $id | if $known | contains(" " + $id + " ") then . elif .value | tostring | startswith("#") then .value = "number id" else .value = (.value | type) + " id" end
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
fields() { # the header fields that rules are about
  tr -d '\r' <"$1" | grep -iE '^(content-type|allow|location|www-authenticate|access-control-[a-z-]*):' | tr A-Z a-z | sort
}


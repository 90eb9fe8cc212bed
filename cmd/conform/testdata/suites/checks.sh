#!/bin/sh
# Tests of a client in shell. A line that ends with "assert NAME" is an assertion.
set -u
fails() { echo "the test fails: $1" >&2; exit 1; }
send() { # METHOD PATH SESSION [BODY]; prints the body and, on a line of its own, the status
	set -- "$1" "$2" "$3" ${4+--json "$4"}
	method=$1 path=$2 session=$3
	shift 3
	curl -s -X "$method" -u "$REFSERVER_APP_TOKEN:$session" -A checks/1.0 -H "Accept: application/json" "$@" -w '\n%{http_code}' "$REFSERVER_URL$path"
}
body() { printf '%s\n' "$1" | sed '$d'; }
status() { printf '%s\n' "$1" | tail -n 1; }

ada=$(send POST '/0.2/users?withLogin=true' '' '{"user_name":"ada","password":"p-1"}')
bob=$(send POST '/0.2/users?withLogin=true' '' '{"user_name":"bob","password":"p-2"}')
ada_session=$(body "$ada" | jq -r .session_token) bob_session=$(body "$bob" | jq -r .session_token)
send POST /0.2/user/connections "$ada_session" "{\"user_to_id\":\"$(body "$bob" | jq -r .id)\",\"type\":\"follow\"}" >/dev/null
for verb in liked shared left; do send POST /0.2/user/events "$bob_session" "{\"verb\":\"$verb\"}" >/dev/null; done
feed=$(send GET /0.2/user/feed "$ada_session")
found=$(send GET '/0.2/users/search?q=BOB' "$ada_session")
send DELETE /0.2/user "$bob_session" >/dev/null
purged=$(send GET /0.2/user/feed "$ada_session")
send DELETE /0.2/user/logout "$ada_session" >/dev/null
after=$(send GET /0.2/user "$ada_session")

[ "$(body "$ada" | jq .enabled)" = true ] || fails enabled # assert enabled
[ "$(body "$feed" | jq length)" = 3 ] || fails feed # assert feed
[ "$(body "$feed" | jq -r 'map(.verb) | join(" ")')" = "left shared liked" ] || fails order # assert order
[ "$(body "$found" | jq length)" = 1 ] || fails search # assert search
[ "$(body "$purged" | jq length)" = 0 ] || fails purge # assert purge
[ "$(status "$after")" = 401 ] || fails logout # assert logout
exit 0

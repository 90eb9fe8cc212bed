# A lawful client: curl, as a shell script.
set -eu
password=2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
ask() { # method path session [body]
	if [ $# -gt 3 ]; then
		set -- "$1" "$2" "$3" -H 'Content-Type: application/json' --data-raw "$4"
	fi
	method=$1 path=$2 session=$3
	shift 3
	curl -sSf --compressed -A feedscript/1.0 -H 'Accept: application/json' -u "$REFSERVER_APP_TOKEN:$session" -X "$method" "$@" "$REFSERVER_URL$path"
}
session=$(ask POST '/0.2/users?withLogin=true' '' "{\"user_name\":\"ada\",\"password\":\"$password\",\"email\":\"ada@example.com\"}" |
	sed 's/.*"session_token":"\([^"]*\)".*/\1/')
ask POST /0.2/user/events "$session" '{"verb":"liked"}' >/dev/null
ask GET '/0.2/users/search?q=ada%20%26%20eve' "$session" >/dev/null
ask GET /0.2/user/feed "$session" >/dev/null
ask DELETE /0.2/user/logout "$session"

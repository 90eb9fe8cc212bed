curl ${REFSERVER_CA_FILE:+--cacert "$REFSERVER_CA_FILE"} -u "$REFSERVER_APP_TOKEN:" \
  -H 'Accept: application/json' -H 'Content-Type: application/json' \
  -d '{"user_name":"ann","password":"5f4dcc3b5aa765d61d8327deb882cf99","email":"ann@example.com"}' \
  "$REFSERVER_URL/0.2/users?withLogin=true"

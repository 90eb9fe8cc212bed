case $BASE_URL in
http://[!/]* | https://[!/]*) ;;
*) echo 'BASE_URL is to be an address, such as https://feeds.example.com' >&2; exit 2 ;;
esac
case $BASE_URL in # no other host, no option, no second address
*[!]A-Za-z0-9._~:/%[-]*) echo 'BASE_URL holds characters that an address has not' >&2; exit 2 ;;
esac
[ -r "${CA_CERT:-/dev/null}" ] || { echo "there is no authority in $CA_CERT: set CA_CERT to its file" >&2; exit 2; }

# Exit: 1 the failure is there, 0 it is not, 2 it could not be tried.
# Set APP_TOKEN (and SECOND_APP_TOKEN where it is used) first; CONFORM_APP_TOKEN does as well.
# BASE_URL may name another target, and CA_CERT the file of the authority that signed its
# certificate: that of the report counts otherwise, and CURL_CA_BUNDLE does not.
set -uf

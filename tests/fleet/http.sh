# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Tests lib/http with servers that fail. Each failure must cause one error, and one message with the
# reason and the remedy.

http() {
	http_path=$1
	shift
	"$sinks" http "url=http://127.0.0.1:$plain$http_path" total_ms=1000 "$@"
}

https() {
	"$sinks" http "url=https://127.0.0.1:$1/ok" total_ms=5000 "$2"
}

# secret_stays_secret COMMAND…: checks that the output of the command does not contain the secret,
# neither as text nor in base64.
secret_stays_secret() {
	SINK_SECRET=s3cr3t "$@" >"$tmp/answer" 2>&1
	[ -s "$tmp/answer" ] && ! grep -e s3cr3t -e dTpzM2NyM3Q "$tmp/answer"
}

sent() {
	grep -q " $1\$" "$tmp/http/requests"
}

http_failures() {
	while read -r path first message; do
		check "$path: $message" answers "$(echo "$first" | tr _ ' ')" "$message" http "$path"
	done <<-EOF
		/half nonsense_200_0 ended too early
		/half-head nonsense_200_0 ended too early (within its headers)
		/garbage nonsense_0_0 did not answer in HTTP
		/old nonsense_0_0 did not answer in HTTP
		/301 nonsense_301_0 to 'http://127.0.0.1:1/else?[0m', which is not followed
		/999 nonsense_999_0 strange status 999
		/huge nonsense_200_0 more bytes than allowed
		/endless nonsense_200_0 more bytes than allowed
		/headers nonsense_200_0 more bytes than allowed
		/500 busy_500_0 (status 500, "disk ?[31mfull?"): check the server's load and log
		/503 busy_503_7 cannot take it now
		/429 busy_429_120 "slow down"
		/429-forever busy_429_0 cannot take it now
		/408 busy_408_0 cannot take it now
		/401 refused_401_0 refused the credentials (status 401, "who are you?"): check user and secret
		/403 refused_403_0 "not yours"
		/404 absent_404_0 check the URL, and that the server is set up
		/413 never_413_0 will never take this (status 413, "at most 1 kB")
		/nothing unreachable_0_0 closed the connection without an answer
		/silent timeout_0_0 accepted the connection, but did not answer in time
		/stuck timeout_200_0 was incomplete when the time was over
	EOF
}

http_urls() {
	refused="error Invalid argument"
	check "no listener" answers "unreachable 0 0" "check that the server runs, and the URL" "$sinks" http url=http://127.0.0.1:1/
	check "no such host" answers "unreachable 0 0" "check URL and DNS" "$sinks" http url=http://none.invalid/
	check "another scheme" answers "$refused" "https://" "$sinks" http url=ftp://127.0.0.1/
	check "a file" answers "$refused" "https://" "$sinks" http url=file:///etc/passwd
	check "a password in the URL" answers "$refused" "must not contain a user or a password" "$sinks" http url=http://u:p@127.0.0.1/
	for host in 10.0.0.1 127.evil.example localhost.example; do
		check "a secret without encryption to $host" answers "$refused" "use https://" "$sinks" http "url=http://$host/" auth=basic
	done
}

http_tls() {
	check "a certificate of an unknown CA" answers "untrusted 0 0" "is not trusted" https "$tls" x=
	check "a certificate of the CA file" answers "ok 200 0" "" https "$tls" "ca=$tmp/http/ca.pem"
	check "a certificate for another name" answers "untrusted 0 0" "check the host name in the URL" https "$name" "ca=$tmp/http/ca.pem"
	check "no CA file" answers "untrusted 0 0" "(No such file or directory)" https "$tls" ca=/nonexistent
	check "a CA file without a certificate" answers "untrusted 0 0" "the CA file" https "$tls" "ca=$here/run"
	check "https to a plain server" answers "timeout 0 0" "no connection" "$sinks" http "url=https://127.0.0.1:$plain/" total_ms=500
}

http_secrets() {
	for kind in basic bearer aws; do
		for path in /401 /ok /garbage; do
			check "$kind, $path: messages do not show the secret" secret_stays_secret http $path auth=$kind user=u region=r
		done
		check "$kind: a dry run does not show the secret" secret_stays_secret http /dry auth=$kind user=u region=r dry=yes
	done
	check "a dry run sends nothing" eval '! sent /dry && sent /ok'
	SINK_SECRET=s3cr3t http /authorization auth=basic user=u show=yes >"$tmp/answer"
	check "basic: the server gets the secret" grep -qx "Authorization: Basic dTpzM2NyM3Q=" "$tmp/answer"
	SINK_SECRET=s3cr3t http /authorization auth=bearer show=yes >"$tmp/answer"
	check "bearer: the server gets the secret" grep -qx "Authorization: Bearer s3cr3t" "$tmp/answer"
	check "proxies of the environment are not used" answers "ok 200 0" "" \
		env http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 "$sinks" http "url=http://127.0.0.1:$plain/ok"
}

mkdir "$tmp/http"
if ! command -v openssl >/dev/null; then
	skip "servers that fail" "needs openssl"
elif "$here/servers/make-certificates" "$tmp/http" && start_server faults "$tmp/http"; then
	read -r plain tls name <<-EOF
		$ports
	EOF
	check "an answer" answers "ok 200 0" "" http /ok
	http_failures
	http_urls
	http_tls
	http_secrets
else
	fail "servers that fail" "$(tail -n 1 "$tmp/server.err")"
fi

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests the pages of rspctl serve, and that other users and other sites cannot read them.

mkdir "$tmp/served"
cp tests/golden/children.rsp "$tmp/served/00112233445566778899aabbccddeeff.rsp"
cp tests/golden/tcp.rsp "$tmp/served/44556677889900112233445566778899.rsp"
cp tests/golden/children.rsp "$tmp/one.rsp"
echo damaged >"$tmp/served/ffffffffffffffffffffffffffffffff.rsp"

start_serve() {
	: >"$tmp/url"
	"$rspctl" serve "$@" >"$tmp/url" 2>"$tmp/serve.err" &
	serve_pid=$!
	fake_pid="$fake_pid $serve_pid"
	await 10 test -s "$tmp/url" || return 1
	url=$(cat "$tmp/url")
}

# asks NAME STATUS ARG…: checks the HTTP status of `curl ARG…`, which writes the page to $tmp/page.
asks() {
	asks_name=$1 asks_status=$2
	shift 2
	got=$(curl -sS -o "$tmp/page" -w '%{http_code}' "$@" 2>"$tmp/err")
	if [ "$got" = "$asks_status" ]; then
		pass "$asks_name"
	else
		fail "$asks_name" "status $got instead of $asks_status: $(cat "$tmp/err")"
	fi
}

stop_serve() {
	kill -INT "$serve_pid"
	wait "$serve_pid"
}

# opens_privately: starts `serve --open` with a browser that only notes its argument. Checks that the argument is a file
# that only this user can read, that the file leads to the URL, and that it does not outlive the server.
opens_privately() {
	mkdir "$tmp/notes"
	printf '#!/bin/sh\nprintf %%s "$1" >%s/opened\n' "$tmp/notes" >"$tmp/notes/xdg-open"
	chmod 755 "$tmp/notes/xdg-open"
	PATH=$tmp/notes:$PATH TMPDIR=$tmp/notes start_serve "$tmp/one.rsp" --open && await 10 test -s "$tmp/notes/opened" || return
	opened=$(cat "$tmp/notes/opened")
	grep -qF "url=$url\"" "$opened" && [ "$(stat -c %a "$(dirname "$opened")")" = 700 ] && stop_serve &&
		[ ! -e "$(dirname "$opened")" ]
}

refuses "serve of a missing store" 1 "cannot read the store" serve --store "$tmp/none"
refuses "serve of a missing snapshot" 1 "there is no file or snapshot" serve abc
refuses "serve at an invalid port" 2 "is not a port" serve --http-port 65536
refuses "serve of another host" 2 "only browsers on its own machine" -H somewhere serve

if ! command -v curl >/dev/null; then
	skip "rspctl serve" "there is no curl"
elif ! start_serve --store "$tmp/served"; then
	fail "rspctl serve" "$(cat "$tmp/serve.err")"
else
	base=${url%/*/} id=00112233445566778899aabbccddeeff
	real=$("$rspctl" info "$tmp/one.rsp" --json=short | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
	asks "serve: the index" 200 "$url"
	check "serve: the list contains the snapshot" grep -q "href=\"$real/\"" "$tmp/page"
	asks "serve: no page without the token" 404 "$base/"
	check "serve: the error does not name snapshots" sh -c "! grep -q '$real' '$tmp/page'"
	asks "serve: no page with a wrong token" 404 "$base/0123456789abcdef0123456789abcdef/"
	asks "serve: no page with a part of the token" 404 "${url%?????/}/"
	asks "serve: no page for another host name" 403 -H "Host: evil.example:${base##*:}" "$url"
	asks "serve: no page for another port" 403 -H "Host: 127.0.0.1:1" "$url"
	asks "serve: no page without a host" 403 --http1.0 -H "Host:" "$url"
	asks "serve: as localhost" 200 -H "Host: localhost:${base##*:}" "$url"
	asks "serve: no POST" 405 -d x=1 "$url"
	asks "serve: no file outside of the store" 404 --path-as-is "$url../../etc/passwd"
	asks "serve: no file outside of the store, with escapes" 404 "$url%2e%2e%2fetc%2fpasswd"
	asks "serve: no page for an invalid ID" 404 "$url..ab/"
	asks "serve: no page for an unknown snapshot" 404 "${url}abcabc/"
	asks "serve: a damaged snapshot gives a message" 404 "${url}ffffffff/"
	check "serve: it is the message of rspctl" grep -q 'rspctl: .*ffffffff.*not a snapshot' "$tmp/page"
	asks "serve: the processes of a snapshot" 200 "${url}00112233/"
	pid=$(sed -n 's/.*<a href="\([0-9]*\)">.*/\1/p' "$tmp/page" | head -n 1)
	check "serve: the list contains processes" test -n "$pid"
	asks "serve: a page of the process of interest" 200 "${url}00112233/page"
	"$rspctl" html "$tmp/one.rsp" -o "$tmp/page.html"
	check "serve: the page is that of rspctl html" cmp "$tmp/page" "$tmp/page.html"
	asks "serve: a page of any process" 200 "${url}00112233/$pid"
	"$rspctl" html "$tmp/one.rsp" --pid "$pid" -o "$tmp/page.html"
	check "serve: the page is that of rspctl html --pid" cmp "$tmp/page" "$tmp/page.html"
	asks "serve: the snapshots with which one can be compared" 200 "${url}$real/with/"
	other=$("$rspctl" info tests/golden/tcp.rsp --json=short | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
	check "serve: the list contains other snapshots" grep -q "href=\"$other/\"" "$tmp/page"
	check "serve: the list does not contain the snapshot itself" sh -c "! grep -q 'href=\"$real/\"' '$tmp/page'"
	asks "serve: a comparison" 200 "${url}44556677/with/44556677/"
	"$rspctl" diff "$tmp/served/44556677889900112233445566778899.rsp" \
		"$tmp/served/44556677889900112233445566778899.rsp" -o "$tmp/page.html"
	check "serve: the page is that of rspctl diff" cmp "$tmp/page" "$tmp/page.html"
	asks "serve: a comparison with nothing" 404 "${url}44556677/with/abcabc/"
	asks "serve: an unknown process" 404 "${url}00112233/2147483647"
	check "serve: pages may not load other files" sh -c \
		"curl -sSI '$url' | grep -qi \"^Content-Security-Policy: default-src 'none'\""
	many() {
		for _ in 1 2 3 4 5 6 7 8; do
			curl -sS -o /dev/null -w '%{http_code}\n' "${url}00112233/page" &
			many_pids="${many_pids:-} $!"
		done >"$tmp/many"
		# shellcheck disable=SC2086 # a list
		wait $many_pids
		[ "$(grep -c '^200$' "$tmp/many")" -eq 8 ]
	}
	check "serve: several requests at once" many
	curl -sS -m 0.05 -o /dev/null "${url}00112233/page" 2>/dev/null
	asks "serve: answers after a client disconnected early" 200 "$url"
	printf 'GET / HTTP/1.1\r\n\001\377\r\n\r\n' | timeout 5 curl -sS -m 2 telnet://"${base#http://}" >/dev/null 2>&1
	head -c 100000 /dev/urandom | timeout 5 curl -sS -m 2 telnet://"${base#http://}" >/dev/null 2>&1
	asks "serve: answers after a client sent garbage" 200 "$url"
	only_local() {
		! ss -Hltn "sport = :${base##*:}" | awk '{ print $4 }' | grep -Ev '^(127\.0\.0\.1|\[::1\]):'
	}
	check "serve: other hosts cannot connect" only_local
	stop_serve
	check "serve: ends with Ctrl-C" gone "$serve_pid"
	check "serve: prints no messages" test ! -s "$tmp/serve.err"
	start_serve "$tmp/one.rsp" --store "$tmp/none" && asks "serve: one file" 200 "${url}0/page"
	asks "serve: no other snapshot" 404 "${url}ffff/page"
	curl -sS -o /dev/null "${url}0/page" 2>/dev/null &
	stop_serve
	check "serve: ends although it is making a page" gone "$serve_pid"
	check "serve --open: the arguments of the browser do not contain the secret" opens_privately
fi

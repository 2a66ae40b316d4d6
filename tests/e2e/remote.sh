# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/e2e/run
#
# Tests of verbs on another host (rspctl -H). A private sshd on this machine, with its own keys, plays the other host.

refuses "host that is an option" 2 "is not the name of a host" -H -oProxyCommand=x list
refuses "empty host" 2 "is not the name of a host" --host= list
refuses "host with a newline" 2 "not contain blanks or control characters" -H 'a
b' list
refuses "forwarded command line that is damaged" 1 "cannot read the command line" --forwarded=6g
RSP_SSH=$tmp/none/ssh refuses "no ssh" 1 "cannot run $tmp/none/ssh" -H somewhere list

start_sshd() {
	sshd=$(command -v sshd || echo /usr/sbin/sshd)
	[ -x "$sshd" ] && command -v ssh ssh-keygen >/dev/null || return 1
	mkdir -m 700 "$tmp/ssh" && mkdir -p /run/sshd || return 1
	ssh-keygen -q -t ed25519 -N '' -f "$tmp/ssh/host" && ssh-keygen -q -t ed25519 -N '' -f "$tmp/ssh/user" || return 1
	cp "$tmp/ssh/user.pub" "$tmp/ssh/authorized"
	ssh_port=$((20000 + $$ % 20000))
	cat >"$tmp/ssh/sshd_config" <<-END
		Port $ssh_port
		ListenAddress 127.0.0.1
		HostKey $tmp/ssh/host
		AuthorizedKeysFile $tmp/ssh/authorized
		PermitRootLogin prohibit-password
		StrictModes no
		UsePAM no
		PidFile none
		SetEnv PATH=$tmp/bin:/usr/bin:/bin
	END
	cat >"$tmp/ssh/config" <<-END
		Host there
			HostName 127.0.0.1
			Port $ssh_port
			IdentityFile $tmp/ssh/user
			UserKnownHostsFile $tmp/ssh/known
			StrictHostKeyChecking accept-new
			LogLevel ERROR
		Host gone
			HostName 127.0.0.1
			Port 1
	END
	printf '#!/bin/sh\nexec ssh -F %s "$@"\n' "$tmp/ssh/config" >"$tmp/ssh/ssh"
	chmod 755 "$tmp/ssh/ssh"
	"$sshd" -D -e -f "$tmp/ssh/sshd_config" 2>"$tmp/ssh/log" &
	fake_pid="$fake_pid $!"
	await 10 "$tmp/ssh/ssh" there true 2>/dev/null
}

if ! start_sshd; then
	skip "rspctl -H" "sshd cannot be started here (openssh-server, root)"
else
	export RSP_SSH="$tmp/ssh/ssh"
	story=tests/golden/children.rsp
	cp "$story" "$tmp/story.rsp"

	here_and_there() {
		"$rspctl" "$@" >"$tmp/here" 2>"$tmp/here.err"
		here_status=$?
		"$rspctl" -H there "$@" >"$tmp/there" 2>"$tmp/there.err"
		there_status=$?
		[ $here_status -eq $there_status ] && cmp "$tmp/here" "$tmp/there" && cmp "$tmp/here.err" "$tmp/there.err"
	}
	check "-H: a report is the same" here_and_there explain "$tmp/story.rsp"
	check "-H: JSON is the same" here_and_there report "$tmp/story.rsp" --view table --json=short
	check "-H: a failure is the same" here_and_there explain "$tmp/nothing.rsp"
	check "-H: the exit status without a recorder is the same" here_and_there status --socket "$tmp/none/sock"
	for name in "a b" "it's" '$(touch '"$tmp"'/owned)' '`touch '"$tmp"'/owned`' 'a;touch '"$tmp"'/owned' \
		'-x' '
' '*' "\\" 'é"'; do
		check "-H: hostile argument '$(one_line "$name")'" here_and_there info --store "$tmp/store" -- "$name"
	done
	check "-H: no argument became a command" test ! -e "$tmp/owned"
	refuses "-H: the local rspctl reports usage errors" 2 "unknown verb" -H there frobnicate

	page_comes() {
		"$rspctl" html "$tmp/story.rsp" -o "$tmp/here.html" &&
			"$rspctl" -H there html "$tmp/story.rsp" -o "$tmp/there.html" && cmp "$tmp/here.html" "$tmp/there.html"
	}
	check "-H: -o writes a page to a local file" page_comes
	check "-H: a page on the standard output" sh -c \
		"'$rspctl' -H there html '$tmp/story.rsp' | cmp - '$tmp/here.html'"
	symbolized_comes() {
		"$rspctl" -H there symbolize "$tmp/story.rsp" -o "$tmp/named.rsp" >"$tmp/out" &&
			grep -q "^$tmp/named.rsp: of " "$tmp/out" && "$rspctl" info "$tmp/named.rsp" >"$tmp/out"
	}
	check "-H: output and file of one verb" symbolized_comes
	refuses "-H: a local file that cannot be written" 1 "cannot save" -H there html "$tmp/story.rsp" -o "$tmp/none/x.html"
	check "-H: a failure leaves no file" sh -c \
		"! '$rspctl' -H there html '$tmp/nothing.rsp' -o '$tmp/never.html' 2>/dev/null && [ ! -e '$tmp/never.html' ]"

	one_line_and_1() {
		"$rspctl" -H gone list >"$tmp/out" 2>"$tmp/err"
		[ $? -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && [ ! -s "$tmp/out" ]
	}
	check "-H: an unreachable host: one line and exit status 1" one_line_and_1
	sed -i '/SetEnv/d' "$tmp/ssh/sshd_config"
	mv "$tmp/bin/rspctl" "$tmp/bin/rspctl.away"
	cp "$tmp/bin/rspctl.away" "$tmp/rspctl-here"
	if [ -z "$(command -v rspctl)" ]; then
		check "-H: no rspctl on the other host" sh -c \
			"'$tmp/rspctl-here' -H there list 2>&1 | grep 'cannot run rspctl on the other host'"
	fi
	mv "$tmp/bin/rspctl.away" "$tmp/bin/rspctl"

	mkdir "$tmp/browser"
	printf '#!/bin/sh\nprintf %%s "$1" >%s/opened\n' "$tmp" >"$tmp/browser/xdg-open"
	chmod 755 "$tmp/browser/xdg-open"
	opens() {
		name=$(PATH=$tmp/browser:$PATH TMPDIR=$tmp "$rspctl" "$@" html "$tmp/story.rsp" --open) || return
		[ "$name" = "$(cat "$tmp/opened")" ] && cmp "$name" "$tmp/here.html" &&
			[ "$(stat -c %a "$(dirname "$name")")" = 700 ]
	}
	check "html --open: a private page" opens --no-pager
	leaves_nothing() {
		mkdir "$tmp/tmp" && ! TMPDIR=$tmp/tmp "$rspctl" html "$tmp/nothing.rsp" --open 2>/dev/null &&
			[ -z "$(ls "$tmp/tmp")" ]
	}
	check "html --open: a failure leaves nothing" leaves_nothing
	check "-H: html --open shows the page on this host" opens -H there
	unset RSP_SSH
fi

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # rspctl, programs, build, here and tmp are the suite's
#
# A client and a server run in two network namespaces. Their recording is split into that of a host with the client
# and that of a host with the server, whose clock is 3 s ahead and 200 ppm faster. The merged snapshot must explain
# the client as the whole recording does.

namespaces_end() {
	for end in a b; do
		ip netns del "rsp-$$-$end" 2>/dev/null
	done
	true
}

namespaces_begin() {
	ip netns add "rsp-$$-a" && ip netns add "rsp-$$-b" &&
		ip link add v0 netns "rsp-$$-a" type veth peer name v1 netns "rsp-$$-b" &&
		ip -n "rsp-$$-a" addr add 10.77.0.1/24 dev v0 && ip -n "rsp-$$-a" link set v0 up &&
		ip -n "rsp-$$-b" addr add 10.77.0.2/24 dev v1 && ip -n "rsp-$$-b" link set v1 up
}

hosts_agree() {
	record hosts "$programs/netpeer" tcp 4 200 2000 "/run/netns/rsp-$$-b" "/run/netns/rsp-$$-a" 10.77.0.2 || return
	# shellcheck disable=SC2046 # two numbers
	set -- $(sed -n 's/^pid \([0-9]* [0-9]*\)$/\1/p' "$tmp/hosts.err" "$tmp/hosts")
	"$build/tests/tools/split-host" "$tmp/hosts.rsp" "$tmp/a.rsp" a 10.77.0.2 0 0 "$2" &&
		"$build/tests/tools/split-host" "$tmp/hosts.rsp" "$tmp/b.rsp" b 10.77.0.1 3000000000 200 "$1" &&
		"$rspctl" merge "$tmp/a.rsp" "$tmp/b.rsp" -o "$tmp/m.rsp" >"$tmp/merged" || return
	for name in hosts m; do
		"$rspctl" report "$tmp/$name.rsp" --json=short -n 1000000 >"$tmp/$name.json" || [ $? -eq 3 ] || return
	done
	"$here/merge-check" "$tmp/hosts.json" "$tmp/m.json"
}

if ! command -v ip >/dev/null; then
	skip "a wait goes on across hosts" "needs ip (iproute2)"
elif ! namespaces_begin 2>"$tmp/namespaces"; then
	skip "a wait goes on across hosts" "no network namespaces: $(head -n 1 "$tmp/namespaces")"
	namespaces_end
else
	check "a wait goes on across hosts" try hosts_agree
	namespaces_end
fi

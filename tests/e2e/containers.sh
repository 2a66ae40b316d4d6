# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2086 # the variables of tests/e2e/run; an inner sh; words of a command
#
# Tests of containers, with cgroups that have the names that container runtimes give them: a process is found by its
# container, also if the container is gone, and a user does not see the containers of others.

cg_top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
cg=$cg_top/rsp-test-$$
if [ "$(id -u)" -ne 0 ] || [ ! -r /sys/kernel/btf/vmlinux ]; then
	skip "containers" "needs root and kernel types"
	return
elif [ -z "$cg_top" ] || ! mkdir "$cg" 2>/dev/null; then
	skip "containers" "cannot make cgroups of version 2"
	return
fi

id=3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860
pod_id=05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0
pod=87a18a64-b74a-454a-b10b-a4a36059d0a3
container_pids=
end_containers() {
	for pid in $container_pids; do
		kill "$pid"
		wait "$pid"
	done 2>/dev/null
	container_pids=
	await 10 remove_containers
}
remove_containers() {
	find "$cg" -depth -type d -exec rmdir {} + 2>/dev/null
	[ ! -e "$cg" ]
}
trap 'end_containers; for pid in $rspd_pid $fake_pid; do kill "$pid"; done; rm -rf "$tmp"' EXIT

# contain CGROUP [COMMAND…]: starts a program in it that sleeps again and again; sets $contained to its PID.
contain() {
	mkdir -p "$cg/$1"
	cgroup=$1
	shift
	: >"$tmp/contained"
	sh -c 'echo $$ >"$1" && shift && exec "$@"' - "$cg/$cgroup/cgroup.procs" "$@" \
		"$tmp/bin/sleeper" 100000 5 >"$tmp/contained" &
	contained=$!
	container_pids="$container_pids $contained"
	await 10 test -s "$tmp/contained"
}

# is_about PID RUNTIME ID NAME POD: returns whether the report $tmp/out is about a process with this container.
is_about() {
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
c = report["target"].get("container", {})
got = [str(report["target"]["pid"]), c.get("runtime"), c.get("id"), c.get("name"), c.get("pod")]
if got != sys.argv[2:]:
    sys.exit("%s instead of %s" % (got, sys.argv[2:]))' "$tmp/out" "$@"
}

# finds CONTAINER PID RUNTIME ID NAME POD
finds() {
	container=$1
	shift
	timeout 60 "$rspctl" snapshot --container "$container" --last 5s --json >"$tmp/out" 2>"$tmp/err"
	cat "$tmp/err"
	is_about "$@"
}

install -m 755 "$build/tests/programs/sleeper" "$tmp/bin/"
export RSP_SOCKET="$tmp/containers.sock"
start_rspd --socket "$RSP_SOCKET"
await 60 rspd_answers "$RSP_SOCKET" || fail "rspd starts" "$(tail -n 1 "$tmp/rspd.err")"

contain "libpod-$id.scope/container"
check "containers: podman, by ID" await 10 finds $id $contained podman $id '' ''
check "containers: the first digits of an ID" finds 3726 $contained podman $id '' ''
contain "kubepods-burstable-pod87a18a64_b74a_454a_b10b_a4a36059d0a3.slice/cri-containerd-$pod_id.scope"
check "containers: a pod and the first digits of an ID" await 10 finds 87a18a64/05c4 $contained containerd $pod_id '' $pod
contain 'machine-my\x2dmail.scope/payload'
check "containers: a machine" await 10 finds my-mail $contained machine '' my-mail ''
check "containers: the text names it" \
	sh -c '"$1" snapshot --container my-mail --last 5s | tee /dev/stderr | grep -q "in container my-mail (machine)"' - "$rspctl" 2>"$tmp/err"
refuses "containers: no such container" 1 "no process in container nobody" snapshot --container nobody --last 1s
refuses "containers: two targets" 2 "only one of" snapshot --container my-mail --comm sleeper

# A saved snapshot contains all containers.
"$rspctl" snapshot --container 3726 --last 5s -o "$tmp/saved.rsp" >/dev/null 2>&1
"$rspctl" explain "$tmp/saved.rsp" --container my-mail --json >"$tmp/out" 2>"$tmp/err"
check "containers: a saved snapshot, another container" is_about $contained machine '' my-mail ''
"$rspctl" explain "$tmp/saved.rsp" --json --container 372618 >"$tmp/out" 2>"$tmp/err"
check "containers: a saved snapshot, the same container" grep -q '"runtime":"podman"' "$tmp/out"
refuses "containers: a saved snapshot, no such container" 1 "no process in container nobody" report "$tmp/saved.rsp" --container nobody

# Names of cgroups can contain any byte but '/' and newline.
contain "$(printf 'machine-a\033[31mred.scope')"
"$rspctl" snapshot --pid $contained --last 5s -n 100 >"$tmp/out" 2>"$tmp/err"
check "containers: no escape reaches the terminal" sh -c 'grep -q sleeper "$1" && ! grep -q "$(printf "\033")" "$1"' - "$tmp/out"

# --- a container that is gone -----------------------------------------------------------------

gone_id=9ec39b91f3d70e1beff50a308f77067065ea6be0d91a3378375056cd4422cf3d
contain "docker-$gone_id.scope"
gone_pid=$contained
await 10 finds $gone_id $gone_pid docker $gone_id '' '' >/dev/null
kill $gone_pid
wait $gone_pid 2>/dev/null
await 10 rmdir "$cg/docker-$gone_id.scope" 2>/dev/null
timeout 60 "$rspctl" snapshot --pid $gone_pid --last 1min --json >"$tmp/out" 2>"$tmp/err"
check "containers: one that is gone" is_about $gone_pid docker $gone_id '' ''

# --- other users ------------------------------------------------------------------------------

as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
contain lxc.payload.ofnobody $as_nobody
chmod 777 "$tmp"
$as_nobody timeout 60 "$rspctl" snapshot --container ofnobody --last 5s -o "$tmp/own.rsp" --json >"$tmp/out" 2>"$tmp/err"
check "containers: a user finds the user's own" is_about $contained lxc '' ofnobody ''
"$build/tests/tools/seen" "$tmp/own.rsp" >"$tmp/seen" 2>&1
check "containers: a user's snapshot contains the user's own" grep -q "lxc.payload.ofnobody" "$tmp/seen"
check "containers: … and no container of others" sh -c '! grep "libpod\|machine\|docker" "$1"' - "$tmp/seen"
ctl_as_nobody() {
	$as_nobody timeout 60 "$rspctl" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
ctl_as_nobody snapshot --container my-mail --last 5s
judge "containers: a user does not get those of others" 4 "not yours"

end_rspd TERM
end_containers

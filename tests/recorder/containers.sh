# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2086 # the variables of tests/recorder/run; an inner sh; words of a command
#
# Tests of containers, with cgroups that have the names that container runtimes give them, and with files in which
# Docker keeps names. tests/containers runs real container runtimes.

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

# If Docker is installed, its directory also contains other containers.
states=/var/lib/docker/containers
forget_states() {
	while read -r state; do
		rm -rf "${states:?}/${state:?}"
	done 2>/dev/null <"$tmp/states"
	: >"$tmp/states"
	rmdir -p "$states" 2>/dev/null
}
# state ID: writes its stdin to Docker's file about the container.
state() {
	echo "$1" >>"$tmp/states"
	mkdir -p "$states/$1"
	cat >"$states/$1/config.v2.json"
}
random_id() {
	od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

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
trap 'forget_states; end_containers; for pid in $rspd_pid $fake_pid; do kill "$pid"; done; rm -rf "$tmp"' EXIT

# contain CGROUP [COMMAND…]: starts a program in the cgroup that sleeps repeatedly. COMMAND, such as setpriv, runs the
# program. Sets $contained to its PID.
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

# is_about PID RUNTIME ID NAME POD: returns whether the report $tmp/out is about process PID in this container.
is_about() {
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
c = report["target"].get("container", {})
got = [str(report["target"]["pid"]), c.get("runtime"), c.get("id"), c.get("name"), c.get("pod")]
if got != sys.argv[2:]:
    sys.exit("%s instead of %s" % (got, sys.argv[2:]))' "$tmp/out" "$@"
}

# finds CONTAINER PID RUNTIME ID NAME POD: does the same for a snapshot of CONTAINER.
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

"$rspctl" snapshot --container 3726 --last 5s -o "$tmp/saved.rsp" >/dev/null 2>&1
"$rspctl" explain "$tmp/saved.rsp" --container my-mail --json >"$tmp/out" 2>"$tmp/err"
check "containers: a saved snapshot, another container" is_about $contained machine '' my-mail ''
"$rspctl" explain "$tmp/saved.rsp" --json --container 372618 >"$tmp/out" 2>"$tmp/err"
check "containers: a saved snapshot, the same container" grep -q '"runtime":"podman"' "$tmp/out"
refuses "containers: a saved snapshot, no such container" 1 "no process in container nobody" report "$tmp/saved.rsp" --container nobody

# The name of a cgroup can contain any byte except '/' and newline.
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

# --- names ------------------------------------------------------------------------------------

named_cnt() {
	"$rspctl" status --json=short | sed 's/.*"containers":{"named":\([0-9]*\),"unnamed":\([0-9]*\).*/\1 \2/'
}
met_another() {
	[ "$(named_cnt)" != "$met" ]
}

web=rsp-test-web-$$ shop=rsp-test-shop-$$
web_id=$(random_id)
printf '{"ID":"%s","Name":"/%s"}' "$web_id" "$web" | state "$web_id"
contain "docker-$web_id.scope/init"
web_pid=$contained
check "names: a container by the name in its runtime's state" await 20 finds "$web" $web_pid docker $web_id "$web" ''
check "names: the text has name and ID" sh -c '"$1" snapshot --container "$2" --last 5s | tee /dev/stderr |
	grep -q "in container $2 (docker, ID $(echo "$3" | cut -c 1-12))"' - "$rspctl" "$web" "$web_id" 2>"$tmp/err"
"$rspctl" snapshot --container "$web" --last 5s -o "$tmp/named.rsp" >/dev/null 2>&1

reports "names: util names the container of a process" "sleeper \\[$web_pid] in rsp-t" util "$tmp/named.rsp" --chains=1000
check "names: util, as JSON" sh -c '"$1" util "$2" --json | grep -q "\"container\":{\"runtime\":\"docker\",[^}]*\"name\":\"$3\""' \
	- "$rspctl" "$tmp/named.rsp" "$web"
check "names: the page names the container" sh -c '"$1" html "$2" -o "$3/page.html" >/dev/null &&
	"$4/page-head" "$3/page.html" | grep -q "container $5 (docker"' - "$rspctl" "$tmp/named.rsp" "$tmp" tests/e2e "$web"

shop_id=$(random_id)
printf '{"Name":"/k8s_x","Config":{"Labels":{"io.kubernetes.container.name":"%s","io.kubernetes.pod.name":"%s",
	"io.kubernetes.pod.namespace":"prod"}}}' "$web" "$shop" | state "$shop_id"
contain "docker-$shop_id.scope"
shop_pid=$contained
check "names: namespace, pod and container" \
	await 20 finds "prod/$shop/$web" $shop_pid docker $shop_id "$web" ''
check "names: pod and container" finds "$shop/$web" $shop_pid docker $shop_id "$web" ''
refuses "names: several containers of this name" 1 "several containers match: .*prod/$shop/$web (docker, ID .*give more" \
	snapshot --container "$web" --last 5s
"$rspctl" snapshot --container "$shop_id" --last 5s -o "$tmp/both.rsp" >/dev/null 2>&1
"$rspctl" explain "$tmp/named.rsp" --container "$web" --json >"$tmp/out" 2>"$tmp/err"
check "names: in a saved snapshot" is_about $web_pid docker $web_id "$web" ''

kill $shop_pid
wait $shop_pid 2>/dev/null
await 10 rmdir "$cg/docker-$shop_id.scope" 2>/dev/null
rm -r "${states:?}/$shop_id"
check "names: a container that is gone, with its state" \
	await 10 finds "prod/$shop/$web" $shop_pid docker $shop_id "$web" ''
check "names: the one of this name that still runs" await 10 finds "$web" $web_pid docker $web_id "$web" ''

# hostile WHAT COMMAND: starts a container. COMMAND turns the container's state file, $1, into a hostile one.
hostile() {
	hostile_id=$(random_id)
	printf '{"Name":"/%s"}' "$web" | state "$hostile_id"
	sh -c "$2" - "$states/$hostile_id/config.v2.json"
	met=$(named_cnt)
	contain "docker-$hostile_id.scope"
	await 30 met_another
	echo "$hostile_id $contained $1" >>"$tmp/hostile"
}
hostile "a symbolic link" 'mv "$1" "$1.real" && ln -s "$1.real" "$1"'
hostile "a file of another user" 'chown 65534 "$1"'
hostile "a pipe" 'rm "$1" && mkfifo "$1"'
hostile "a directory" 'rm "$1" && mkdir "$1"'
hostile "a file of 1 GiB" 'truncate -s 1G "$1"'
hostile "deep JSON" 'yes "{\"Name\":" | head -n 50000 >"$1"'
hostile "a NUL in a name" 'echo "{\"Name\":\"/a\\\\u0000b\"}" >"$1"'
hostile "an escape in a name" 'echo "{\"Name\":\"/a\\\\u001b[31mb\"}" >"$1"'
hostile "a newline in a name" 'echo "{\"Name\":\"/a\\\\nb\"}" >"$1"'
"$rspctl" snapshot --container "$hostile_id" --last 1s -o "$tmp/hostile.rsp" >/dev/null 2>"$tmp/err"
while read -r hostile_id hostile_pid what; do
	"$rspctl" explain "$tmp/hostile.rsp" --container "$hostile_id" --json >"$tmp/out" 2>"$tmp/err"
	check "names: $what" is_about "$hostile_pid" docker "$hostile_id" '' ''
done <"$tmp/hostile"
check "names: no hostile state harms the recorder" rspd_answers "$RSP_SOCKET"
check "names: … nor the names of others" await 10 finds "$web" $web_pid docker $web_id "$web" ''

# A user owns a delegated cgroup. In it, the user makes a cgroup with the container ID of another user's container.
met=$(named_cnt)
mkdir -p "$cg/delegated"
chown 65534 "$cg/delegated"
$as_nobody mkdir "$cg/delegated/docker-$web_id.scope"
contain "delegated/docker-$web_id.scope" $as_nobody
await 30 met_another
$as_nobody timeout 60 "$rspctl" snapshot --pid $contained --last 5s -o "$tmp/spoof.rsp" --json >"$tmp/out" 2>"$tmp/err"
check "names: a user who makes a cgroup with another's ID does not learn its name" \
	is_about $contained docker $web_id '' ''
"$build/tests/tools/seen" "$tmp/named.rsp" >"$tmp/seen" 2>&1
check "names: a snapshot contains the names" grep -q "$web" "$tmp/seen"
"$build/tests/tools/seen" "$tmp/spoof.rsp" >"$tmp/seen" 2>&1
check "names: … but not that of a user without rights" sh -c '! grep "$2" "$1"' - "$tmp/seen" "$web"
ctl_as_nobody snapshot --container "$web" --last 5s
judge "names: a user gets no container of others by its name" 4 "not yours"

end_rspd TERM
forget_states
end_containers

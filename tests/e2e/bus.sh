# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2016,SC2034 # variables of tests/e2e/run and of an inner sh
#
# Tests of the recorder on the system bus: a private bus with the policy that is installed, and bus-harness in place of
# the recorder and of polkit.

if ! command -v busctl >/dev/null || ! command -v dbus-daemon >/dev/null; then
	skip "recorder on D-Bus" "needs busctl and dbus-daemon"
	return
fi
if [ "$(id -u)" -ne 0 ]; then
	skip "recorder on D-Bus" "needs root, to act as other users"
	return
fi

bus_dir=$tmp/bus bus_store=$tmp/bus/store
mkdir -p "$bus_store"
chmod 755 "$bus_dir"
printf 12345 >"$bus_store/ab12.rsp"
: >"$bus_store/cd34.checkout.rsp"
: >"$bus_store/notes.txt"
: >"$bus_store/.ef56.rsp"
: >"$bus_store/ef56.a b.rsp"
ln -s /etc/passwd "$bus_store/0123.rsp"
install -m 755 "$build/tests/tools/bus-harness" "$tmp/bin/"
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$bus_dir/socket"

# dbus-daemon looks up the members of a group in the user database. Every machine has the group daemon and a user in it,
# so the test replaces the group rsp by daemon.
sed 's/group="rsp"/group="daemon"/' systemd/io.rsp.Recorder1.conf >"$bus_dir/recorder.conf"
cat >"$bus_dir/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
	"https://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
	<type>system</type>
	<listen>unix:path=$bus_dir/socket</listen>
	<auth>EXTERNAL</auth>
	<policy context="default">
		<allow user="*"/>
		<deny own="*"/>
		<deny send_type="method_call"/>
		<allow send_type="signal"/>
		<allow send_requested_reply="true" send_type="method_return"/>
		<allow send_requested_reply="true" send_type="error"/>
		<allow receive_type="method_call"/>
		<allow receive_type="method_return"/>
		<allow receive_type="error"/>
		<allow receive_type="signal"/>
		<allow send_destination="org.freedesktop.DBus"/>
	</policy>
	<policy user="root">
		<allow own="org.freedesktop.PolicyKit1"/>
		<allow own="org.freedesktop.systemd1"/>
		<allow send_destination="org.freedesktop.systemd1"/>
		<allow send_destination="org.freedesktop.PolicyKit1"/>
	</policy>
	<include>$bus_dir/recorder.conf</include>
</busconfig>
END

# --- helpers ----------------------------------------------------------------------------------

start_bus() {
	dbus-daemon --config-file="$bus_dir/bus.conf" --nofork --nopidfile >"$bus_dir/daemon" 2>&1 &
	bus_pid=$!
	bus_pids="$bus_pids $bus_pid"
}

# start_peer NAME USER COMMAND…: sets $peer_pid; the output goes to $bus_dir/NAME.
start_peer() {
	peer_out=$bus_dir/$1 peer_user=$2
	shift 2
	: >"$peer_out"
	start "$peer_user" "$tmp/bin/bus-harness" "$@" >"$peer_out" 2>"$peer_out.err"
	peer_pid=$!
	bus_pids="$bus_pids $peer_pid"
	await 10 grep -q '^ready' "$peer_out"
}

end_peer() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# as USER COMMAND…: runs a command as USER: root, member (of the group rsp) or nobody.
as() {
	as_user=$1
	shift
	case $as_user in
	root) ${as_exec-} "$@" ;;
	member) ${as_exec-} setpriv --reuid daemon --regid daemon --clear-groups "$@" ;;
	nobody) ${as_exec-} setpriv --reuid nobody --regid nogroup --clear-groups "$@" ;;
	esac
}

# start USER COMMAND…: $! is the PID of the command itself.
start() {
	(
		as_exec='exec'
		as "$@"
	) &
}

has_name() {
	busctl --system status io.rsp.Recorder1 >/dev/null 2>&1
}

has_no_name() {
	! has_name
}

# bus USER ARG…: calls a method as USER; sets $status, $tmp/out and $tmp/err.
bus() {
	bus_user=$1
	shift
	as "$bus_user" timeout 60 busctl --system call io.rsp.Recorder1 /io/rsp/Recorder1 \
		io.rsp.Recorder1 "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

gone_or_zombie() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status"
}

# begin_endless USER: requests a snapshot that never becomes ready. $! is the client.
begin_endless() {
	start "$1" timeout 60 busctl --system call io.rsp.Recorder1 /io/rsp/Recorder1 \
		io.rsp.Recorder1 Snapshot 'ssa{sv}' pid 500 0
}

answers() {
	answers_name=$1 answers_pattern=$2
	shift 2
	bus "$@"
	if [ "$status" -ne 0 ]; then
		fail "D-Bus: $answers_name" "$(cat "$tmp/err")"
	else
		check "D-Bus: $answers_name" one_line_matches "$answers_pattern"
	fi
}

one_line_matches() {
	cat "$tmp/out"
	printf '%s\n' "$(cat "$tmp/out")" | grep -qx -- "$1"
}

fails() {
	fails_name=$1 fails_pattern=$2
	shift 2
	bus "$@"
	if [ "$status" -eq 0 ]; then
		fail "D-Bus: $fails_name" "the call succeeded: $(cat "$tmp/out")"
	else
		check "D-Bus: $fails_name" sh -c 'cat "$2"; grep -q "$1" "$2"' sh \
			"$fails_pattern" "$tmp/err"
	fi
}

# errs NAME ERROR USER ARG…: checks that a call fails with the error name ERROR. busctl itself does not show this name.
errs() {
	errs_name=$1 errs_error=$2
	shift 2
	: >"$bus_dir/monitor" # removes the output of earlier calls
	busctl --system monitor --match "type='error'" >"$bus_dir/monitor" 2>&1 &
	errs_pid=$!
	await 10 grep -q '^Monitoring' "$bus_dir/monitor"
	bus "$@"
	check "D-Bus: $errs_name" await 10 grep -q "ErrorName=$errs_error" "$bus_dir/monitor"
	end_peer "$errs_pid"
}

asked() {
	check "D-Bus: $1" sh -c 'tail -n 1 "$2"; tail -n 1 "$2" | grep -qx -- "$1"' sh \
		"$2" "$bus_dir/recorder"
}

denied='permission denied'

# --- a bus that starts late -------------------------------------------------------------------

bus_pids=
trap 'for pid in $rspd_pid $fake_pid $bus_pids; do kill "$pid" 2>/dev/null; done; rm -rf "$tmp"' EXIT
start_peer recorder root recorder "$bus_store"
recorder_pid=$peer_pid
start_bus
check "D-Bus: a recorder that started before the bus gets its name" await 20 has_name
check "D-Bus: the recorder logs nothing about a missing bus" test ! -s "$bus_dir/recorder.err"

# --- Snapshot ---------------------------------------------------------------------------------

answers "snapshot by pid" 'sssh "ab12" "/store/ab12.rsp" "it?waited" [0-9]*' \
	root Snapshot 'ssa{sv}' pid 1 0
asked "pid, whole window, stored" \
	'snapshot pid=1 port=0 unit=- cgroup=- comm=- container=- last=0 after=0 store=1 uid=0 trusted=1 own=0'
answers "snapshot by unit, with options" 'sssh "ab12" "" "it?waited" [0-9]*' \
	root Snapshot 'ssa{sv}' unit a.service 3 \
	last-usec t 5000000 after-usec t 2000000 store b false
asked "unit, options" \
	'snapshot pid=0 .* unit=a.service cgroup=- comm=- container=- last=5 after=2 store=0 uid=0 trusted=1 own=0'
answers "snapshot by cgroup" 'sssh .*' root Snapshot 'ssa{sv}' cgroup /a.slice 0
asked "cgroup" 'snapshot pid=0 port=0 unit=- cgroup=/a.slice comm=- .*'
answers "snapshot by comm" 'sssh .*' root Snapshot 'ssa{sv}' comm nginx 0
asked "comm" 'snapshot pid=0 port=0 unit=- cgroup=- comm=nginx .*'
answers "snapshot by container" 'sssh .*' root Snapshot 'ssa{sv}' container web 0
asked "container" 'snapshot pid=0 port=0 unit=- cgroup=- comm=- container=web .*'
answers "snapshot by port" 'sssh .*' root Snapshot 'ssa{sv}' port 443 0
asked "port" 'snapshot pid=0 port=443 unit=- cgroup=- comm=- .*'
answers "snapshot of the user's own processes" 'sssh .*' nobody Snapshot 'ssa{sv}' own "" 0
asked "own" "snapshot pid=0 port=0 unit=- cgroup=- comm=- container=- last=0 after=0 store=0 uid=$(id -u nobody) trusted=0 own=1"
for target in 'own 0' 'own root' 'pid 0' 'pid +1' 'pid 1x' 'pid 4294967297' 'port 65536' 'port x' 'unit ' 'shoe 1'; do
	fails "no target: $target" "invalid arguments" \
		root Snapshot 'ssa{sv}' "${target% *}" "${target#* }" 0
done
fails "unknown option" "invalid arguments" root Snapshot 'ssa{sv}' pid 1 1 frob t 1
fails "option of another type" "invalid arguments" \
	root Snapshot 'ssa{sv}' pid 1 1 last-usec s 1
fails "too far ahead" "invalid arguments" \
	root Snapshot 'ssa{sv}' pid 1 1 after-usec t 600000001
fails "an option four times" "invalid arguments" \
	root Snapshot 'ssa{sv}' pid 1 4 store b 1 store b 1 store b 1 store b 1
fails "a name of 64 KiB" "invalid arguments" \
	nobody Snapshot 'ssa{sv}' comm "$(printf %065536d 7)" 0
fails "an ID of 64 KiB" "invalid arguments" nobody DeleteSnapshot s "$(printf %065536d 7)"
errs "no such process" io.rsp.Recorder1.Error.NoSuchProcess root Snapshot 'ssa{sv}' pid 404 0
errs "no such process, found out late" io.rsp.Recorder1.Error.NoSuchProcess \
	root Snapshot 'ssa{sv}' pid 405 0
errs "no such unit" io.rsp.Recorder1.Error.NoSuchUnit root Snapshot 'ssa{sv}' unit none.service 0

begin_endless root >/dev/null 2>&1
caller=$!
check "D-Bus: a snapshot is under way" await 10 grep -q '^snapshot pid=500' "$bus_dir/recorder"
end_peer "$caller"
check "D-Bus: it ends when its caller disconnects" await 10 grep -qx 'cancelled 500' "$bus_dir/recorder"

# --- the store and SLOs -----------------------------------------------------------------------

answers "list contains the information in names of snapshots" \
	'a(stts) 2 \("ab12" [0-9]\{16\} 5 ""\|"cd34" [0-9]\{16\} 0 "checkout"\| \)*' root ListSnapshots
answers "delete" '' root DeleteSnapshot s ab
errs "delete: none" io.rsp.Recorder1.Error.NoSuchSnapshot root DeleteSnapshot s zz
errs "delete: several" io.rsp.Recorder1.Error.Ambiguous root DeleteSnapshot s a
answers "trigger" '' root Trigger s checkout
errs "trigger: none" io.rsp.Recorder1.Error.NoSuchSLO root Trigger s other

# --- access -----------------------------------------------------------------------------------

answers "a member of the group may take a snapshot" 'sssh "ab12" "/store/ab12.rsp" .*' \
	member Snapshot 'ssa{sv}' pid 1 0
asked "a member of the group is trusted" 'snapshot pid=1 .* store=1 uid=1 trusted=1 own=0'
answers "a member of the group may list" 'a(stts) 2 .*' member ListSnapshots
answers "a user may take a snapshot of an own process, not stored" 'sssh "ab12" "" .*' \
	nobody Snapshot 'ssa{sv}' pid 1000 0
asked "a plain user is not trusted" 'snapshot pid=1000 .* store=0 uid=65534 trusted=0 own=0'
errs "without polkit: snapshot of another's process" io.rsp.Recorder1.Error.Denied \
	nobody Snapshot 'ssa{sv}' pid 1 0
fails "without polkit: storing" "$denied" nobody Snapshot 'ssa{sv}' pid 1000 1 store b true
fails "without polkit: list" "$denied" nobody ListSnapshots
fails "without polkit: delete" "$denied" nobody DeleteSnapshot s ab
fails "without polkit: trigger" "$denied" nobody Trigger s checkout
check "D-Bus: a denial is logged with the user" grep -q '^rspd: user 65534 asked to list snapshots$' \
	"$bus_dir/recorder.err"

start_peer polkit root polkit io.rsp.recorder.list io.rsp.recorder.snapshot
answers "polkit allows list" 'a(stts) 2 .*' nobody ListSnapshots
answers "polkit allows a snapshot" 'sssh "ab12" "/store/ab12.rsp" .*' \
	nobody Snapshot 'ssa{sv}' pid 1 0
asked "a user whom polkit allows is trusted" 'snapshot pid=1 .* store=1 uid=65534 trusted=1 own=0'
errs "polkit needs a password" \
	org.freedesktop.DBus.Error.InteractiveAuthorizationRequired nobody DeleteSnapshot s ab
check "D-Bus: polkit gets the caller and the action" \
	grep -qx 'check system-bus-name name io.rsp.recorder.list' "$bus_dir/polkit"
answers "root" 'a(stts) 2 .*' root ListSnapshots
answers "a user gets a snapshot of an own process" 'sssh .*' nobody Snapshot 'ssa{sv}' pid 1000 0
check "D-Bus: polkit is asked only if needed" test "$(grep -c '^check' "$bus_dir/polkit")" -eq 3
actions_of_policy() {
	sed -n 's/.*<action id="\(.*\)">/\1/p' systemd/io.rsp.recorder.policy | sort
}
check "D-Bus: polkit's policy has the recorder's actions" test "$(actions_of_policy)" = \
	"$(sed -n 's/.*\.action = "\(.*\)",/\1/p' daemon/bus/bus-recorder.c | sort)"
end_peer "$peer_pid"

# Each user can have only one snapshot under way.
for n in 1 2 3; do
	begin_endless nobody >/dev/null 2>"$bus_dir/caller.$n"
	bus_callers="${bus_callers-} $!"
done
two_are_busy() {
	[ "$(cat "$bus_dir"/caller.* | grep -c 'too many requests')" -eq 2 ]
}
check "D-Bus: a second snapshot of a user at the same time is refused" await 10 two_are_busy
answers "meanwhile others are served" 'a(stts) 2 .*' root ListSnapshots
for pid in $bus_callers; do
	end_peer "$pid"
done

# --- units of systemd -------------------------------------------------------------------------

start_peer units root units a.service=active b@x.service=failed c.mount=inactive d.timer=active
units_pid=$peer_pid
check "D-Bus: units that systemd reports" await 10 grep -qx 'unit c.mount stopped' "$bus_dir/recorder"
check "D-Bus: the recorder subscribes to systemd" grep -qx subscribed "$bus_dir/units"
as nobody "$tmp/bin/bus-harness" spoof e.service=active
answers "after signals of another user" 'a(stts) 2 .*' root ListSnapshots
units_seen=$(grep '^unit ' "$bus_dir/recorder" | tr '\n' ,)
check "D-Bus: each change is seen once, and only from systemd" test "$units_seen" = \
	'unit a.service started,unit b@x.service failed,unit c.mount stopped,'
end_peer "$units_pid"
start_peer units root units f.service=active
check "D-Bus: units after a restart of systemd" await 10 grep -qx 'unit f.service started' "$bus_dir/recorder"
end_peer "$peer_pid"

# --- the signal -------------------------------------------------------------------------------

start_peer listen.root root listen
start_peer listen.member member listen
start_peer listen.nobody nobody listen
bus root Snapshot 'ssa{sv}' pid 1 0
taken="taken ab12 '' 1 /store/ab12.rsp it?waited"
check "D-Bus: root gets the signal of a snapshot" await 10 grep -qxF "$taken" "$bus_dir/listen.root"
check "D-Bus: a member of the group gets the signal" await 10 grep -qxF "$taken" "$bus_dir/listen.member"
check "D-Bus: other users do not get the signal" sh -c '! grep taken "$1"' sh "$bus_dir/listen.nobody"

# --- properties and introspection -------------------------------------------------------------

property() {
	property_want=$2 property_name=$1
	as nobody busctl --system get-property io.rsp.Recorder1 /io/rsp/Recorder1 io.rsp.Recorder1 \
		"$property_name" >"$tmp/out" 2>&1
	check "D-Bus: $property_name" one_line_matches "$property_want"
}
property Version 's "[0-9].*"'
property UptimeUSec 't 7000000'
property WindowUSec 't 2500000'
property WindowBytes 't 4096'
property Events 't 12'
property Lost 't 3'
property CostPPM 'u 4000'
property BudgetPPM 'u 10000'
property Shed 's "most samples"'
property Snapshots 't 7'
property StoreBytes 't 8192'
property StoreFiles 'u 2'
property SnapshotOptions 'a{s(ss)} 3 "last-usec" "t" .* "after-usec" "t" .* "store" "b" .*'

: >"$bus_dir/recorder"
as nobody busctl --system introspect --xml-interface io.rsp.Recorder1 /io/rsp/Recorder1 >"$tmp/xml" 2>&1
check "D-Bus: arguments have names" grep -q '<arg type="a{sv}" name="options" direction="in"' "$tmp/xml"
check "D-Bus: introspection shows the signal" grep -q '<signal name="SnapshotTaken">' "$tmp/xml"
as nobody busctl --system introspect io.rsp.Recorder1 /io/rsp/Recorder1 >"$tmp/out" 2>&1
check "D-Bus: introspection shows values of properties" grep -q 'CostPPM .* 4000 ' "$tmp/out"
check "D-Bus: one request to the recorder returns several properties" test "$(grep -c '^status' "$bus_dir/recorder")" -le 2

# --- LogControl1 ------------------------------------------------------------------------------

log_control() {
	log_user=$1
	shift
	as "$log_user" busctl --system "$1" io.rsp.Recorder1 /org/freedesktop/LogControl1 \
		org.freedesktop.LogControl1 "$2" ${3+"$3"} ${4+"$4"} >"$tmp/out" 2>"$tmp/err"
}
log_level() {
	log_control root get-property LogLevel
	check "D-Bus: log level $1" one_line_matches "s \"$1\""
}
log_level info
check "D-Bus: root sets the log level" log_control root set-property LogLevel s debug
log_level debug
check "D-Bus: other users cannot set the log level" sh -c '! "$@"' sh setpriv --reuid nobody --clear-groups \
	busctl --system 	set-property io.rsp.Recorder1 /org/freedesktop/LogControl1 org.freedesktop.LogControl1 LogLevel s err
log_level debug
check "D-Bus: a new log level is logged with the user" grep -q '^rspd: user 0 set the log level to debug$' "$bus_dir/recorder.err"
check "D-Bus: a member sets the log level" log_control member set-property LogLevel s emerg
check "D-Bus: … and this is logged in spite of the level" grep -q '^rspd: user 1 set the log level to emerg$' "$bus_dir/recorder.err"
log_control root set-property LogLevel s debug
log_control root set-property LogLevel s loud
check "D-Bus: an unknown log level" grep -q 'invalid arguments' "$tmp/err"
log_control root set-property LogTarget s console
check "D-Bus: the log's target is fixed" grep -q 'only LogLevel' "$tmp/err"
log_control root get-property LogTarget
check "D-Bus: log target" one_line_matches 's "console"'
log_control root get-property SyslogIdentifier
check "D-Bus: syslog identifier" one_line_matches 's "rspd"'

# --- a bus that restarts, and a second recorder -----------------------------------------------

start_peer second root recorder "$bus_store"
check "D-Bus: a second recorder logs that the name is taken" \
	await 10 grep -q '^rspd: D-Bus refuses the name io.rsp.Recorder1' "$bus_dir/second.err"
end_peer "$peer_pid"
begin_endless root >/dev/null 2>&1
caller=$!
await 10 sh -c 'tail -n 1 "$1" | grep -q "^snapshot pid=500"' sh "$bus_dir/recorder"
end_peer "$bus_pid"
wait "$caller"
check "D-Bus: snapshots under way end with the bus" await 10 sh -c \
	'tail -n 1 "$1" | grep -qx "cancelled 500"' sh "$bus_dir/recorder"
check "D-Bus: the recorder outlives the bus" kill -0 "$recorder_pid"
rm -f "$bus_dir/socket"
start_bus
check "D-Bus: the recorder connects to the next bus" await 20 has_name
answers "calls on the next bus" 'a(stts) 2 .*' root ListSnapshots

# --- a bus that hangs -------------------------------------------------------------------------

# One recorder has connected before the bus hangs; a second recorder starts while the bus hangs. Both must continue, and
# must end without waiting for the bus.
kill -STOP "$bus_pid"
start_peer late root recorder "$bus_store"
begin_endless root >/dev/null 2>&1
caller=$!
for pid in "$recorder_pid" "$peer_pid"; do
	kill -USR1 "$pid"
done
check "D-Bus: a recorder continues if its bus hangs" \
	await 10 grep -qx alive "$bus_dir/recorder"
check "D-Bus: a recorder starts although the bus hangs" await 10 grep -qx alive "$bus_dir/late"
for pid in "$recorder_pid" "$peer_pid"; do
	kill -TERM "$pid"
	check "D-Bus: the recorder ends although the bus hangs" await 10 gone_or_zombie "$pid"
	wait "$pid"
	status=$?
	check "D-Bus: the recorder ends with status 0" test "$status" -eq 0
done
kill -CONT "$bus_pid"
check "D-Bus: the recorder's name is free afterwards" await 10 has_no_name
for pid in $bus_pids $caller; do
	end_peer "$pid"
done
unset DBUS_SYSTEM_BUS_ADDRESS
trap 'for pid in $rspd_pid $fake_pid; do kill "$pid"; done; rm -rf "$tmp"' EXIT

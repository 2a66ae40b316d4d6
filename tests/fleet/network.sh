# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # build, dir and tmp are the suite's
#
# Makes three machines, web-1.example to web-3.example, in a private network, and a repository of
# RSP's packages. In this network, the host of the tests is 10.77.0.1, control.example. A suite runs
# in its own mount and network namespaces.

hosts="web-1 web-2 web-3"

# host_address NAME: prints the address of a machine, such as 10.77.0.12 for web-2.
host_address() {
	echo "10.77.0.1${1#web-}"
}

# hosts_network: makes the network of the suite. Must be called first, because servers of the suite
# need a loopback interface, too.
hosts_network() {
	ip link set lo up && ip link add rsp0 type bridge && ip addr add 10.77.0.1/24 dev rsp0 && ip link set rsp0 up ||
		return 1
	{
		echo "127.0.0.1 localhost"
		echo "10.77.0.1 control.example"
		for host in $hosts; do
			echo "$(host_address "$host") $host.example $host"
		done
	} >"$tmp/hosts"
	mount --bind "$tmp/hosts" /etc/hosts
}

# host_files HOST: the machine can then install packages only from the suite's repository.
host_files() {
	root=$dir/$1/mnt/root
	rm -rf "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/* "$root/etc/rsp" "$root/root/.ssh"
	install -m 700 -d "$root/root/.ssh"
	install -m 600 "$tmp/key.pub" "$root/root/.ssh/authorized_keys"
	# /etc/hosts is a mount, so the overlay of / does not contain it.
	rm -f "$root/etc/hosts" && cp "$tmp/hosts" "$root/etc/hosts"
}

host_connect() {
	ip link add "$1" type veth peer name host0 netns "$(cat "$dir/$1/init")" && ip link set "$1" master rsp0 up &&
		inside "$1" ip addr add "$(host_address "$1")/24" dev host0 && inside "$1" ip link set host0 up &&
		inside "$1" systemctl start ssh
}

hosts_boot() {
	ssh-keygen -q -t ed25519 -N '' -f "$tmp/key" || return 1
	for host in $hosts; do
		machine_make "$host" && host_files "$host" && machine_boot "$host" && host_connect "$host" || return 1
	done
}

# on HOST COMMAND…: an administrator uses ssh, too.
on() {
	on_host=$1
	shift
	ssh -q -i "$tmp/key" -o StrictHostKeyChecking=no -o UserKnownHostsFile="$tmp/known" -o ControlMaster=auto \
		-o ControlPath="$tmp/ssh-%h" -o ControlPersist=60 "root@$on_host.example" "$@"
}

# everywhere COMMAND…: stops at the first machine on which the command fails.
everywhere() {
	for host in $hosts; do
		on "$host" "$@" || { echo "on $host"; return 1; }
	done
}

# --- packages ------------------------------------------------------------------------------------

repository_key() {
	GNUPGHOME=$tmp/gnupg
	export GNUPGHOME
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --no-auto-check-trustdb --pinentry-mode loopback --passphrase '' \
		--quick-generate-key "RSP test <test@rsp.example>" 2>/dev/null
	key=$(gpg --no-auto-check-trustdb --list-keys --with-colons | sed -n 's/^fpr:*\([0-9A-F]*\):*/\1/p' | head -n 1)
	[ -n "$key" ]
}

with_version() {
	rm -rf "$tmp/tree"
	dpkg-deb -R "$1" "$tmp/tree" && sed -i "s/^Version: .*/Version: $2/" "$tmp/tree/DEBIAN/control" &&
		dpkg-deb --root-owner-group -b "$tmp/tree" "$3" >/dev/null
}

publish() {
	rm -rf "$tmp/build/deb"
	mkdir -p "$tmp/build/deb" && cp "$1" "$tmp/build/deb/" &&
		REPO_KEY=$key packaging/build-repo "$tmp/build" >"$tmp/published" 2>&1 || { cat "$tmp/published"; return 1; }
}

is_served() {
	curl -sf -o /dev/null http://10.77.0.1:8080/rsp.asc
}

serve_repository() {
	python3 -m http.server --bind 10.77.0.1 --directory "$tmp/build/repo" 8080 >"$tmp/served" 2>&1 &
	server=$!
	await 10 is_served
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # the parts use the variables
#
# The first part of tests/e2e/run and tests/recorder/run: copies the programs of $1, the build directory, to $tmp, and
# sets the variables that the parts use.

build=$(cd "$1" && pwd) || exit 1
shift
bpftool=$(command -v bpftool || echo /usr/sbin/bpftool)
rspd_pid='' fake_pid=''
tmp=$(mktemp -d) || exit 1
trap 'for pid in $rspd_pid $fake_pid; do kill "$pid"; done; rm -rf "$tmp"' EXIT
unset RSP_SOCKET RSP_STORE DEBUGINFOD_URLS COLUMNS

# Other users also run the programs, and may not be able to read the tree.
chmod 755 "$tmp"
mkdir "$tmp/bin"
for program in rspctl rspd rsp-worker; do
	if [ ! -x "$build/$program" ]; then
		fail "$program" "the program is not built"
		exit 1
	fi
	install -m 755 "$build/$program" "$tmp/bin/"
done
rspctl=$tmp/bin/rspctl rspd=$tmp/bin/rspd
export RSP_SOCKET="$tmp/none/rspd.sock" RSP_STORE="$tmp/store"

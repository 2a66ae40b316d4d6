# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Tests an object store as a sink of rsp-export. The store is OpenStack Swift with its S3 API, which
# verifies signatures, hashes and regions.

id=5f0e1d2c3b4a59687766554433221100
object=prod/eu/web-1/fedcba9876543210fedcba9876543210/nginx.service/20261118T110639Z-$id

s3() {
	verb=$1
	shift
	SINK_SECRET=${secret:-s3cr3t} "$sinks" "$verb" "url=$store" bucket=snapshots region=eu-test-1 user=rsp:exporter "dir=$tmp/s3" \
		prefix=/prod/eu/ "batch=$batch" "$@"
}

s3_same() {
	s3 s3-get "key=$object.rsp" "save=$tmp/got" >/dev/null && cmp "$tmp/got" "$tmp/s3/$id.rsp"
}

# The object KEY.json must contain the data of the batch, and the size and hash of the snapshot.
s3_described() {
	s3 s3-get "key=$object.json" "save=$tmp/got" >/dev/null || return 1
	python3 - "$tmp/got" "$batch" "$tmp/s3/$id.rsp" <<-'EOF'
		import hashlib, json, sys
		got, batch = (json.load(open(path)) for path in sys.argv[1:3])
		content = open(sys.argv[3], "rb").read()
		want = {**batch["snapshots"][0], "version": 1, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
		        "host": batch["host"]["name"], "machine": batch["host"]["machine"], "boot": batch["host"]["boot"]}
		assert got == want, f"{got} is not {want}"
	EOF
}

s3_stored_once() {
	answers "accepted 0" "" s3 s3 || return 1
	s3_modified >"$tmp/modified" || return 1
	answers "accepted 0" "" s3 s3 || return 1
	s3_modified | cmp - "$tmp/modified"
}

# Prints the key of each object and the time at which it was stored. Uses Swift's own API, because
# its times have microseconds.
s3_modified() {
	curl -fsS -D "$tmp/login" -H "X-Auth-User: rsp:exporter" -H "X-Auth-Key: s3cr3t" "$store/auth/v1.0" &&
		curl -fsS -H "$(grep -i '^X-Auth-Token:' "$tmp/login" | tr -d '\r')" "$store/v1/AUTH_rsp/snapshots?format=json" |
		python3 -c 'import json, sys; [print(o["name"], o["last_modified"]) for o in json.load(sys.stdin)]'
}

s3_listed() {
	SINK_SECRET=s3cr3t "$sinks" http "url=$store/snapshots?list-type=2" auth=aws user=rsp:exporter region=eu-test-1 show=yes \
		>"$tmp/list"
	grep -q '^ok 200' "$tmp/list" && [ "$(grep -o "<Key>" "$tmp/list" | wc -l)" -eq "$1" ]
}

s3_cases() {
	check "nothing is there" answers "absent 404 0" "" s3 s3-head "key=$object.rsp"
	check "a dry run shows the requests" eval 's3 s3 dry=yes >"$tmp/dry" && grep -qx "PUT $store/snapshots/$object.rsp" "$tmp/dry"'
	check "a dry run sends nothing" s3_listed 0
	secret=wrong check "a wrong secret" answers "EACCES 0" "signature we calculated does not match" s3 s3
	check "an unknown key" answers "EACCES 0" "check user and secret" s3 s3 user=rsp:stranger
	check "a wrong region" answers "EACCES 0" "region" s3 s3 region=us-east-1
	check "no such bucket" answers "EACCES 0" "bucket does not exist" s3 s3 bucket=none
	check "nothing was stored" s3_listed 0
	check "stored once" s3_stored_once
	check "a snapshot and its description each" s3_listed 4
	check "the snapshot is the same" s3_same
	check "the description" s3_described
	check "an object larger than allowed" answers "nonsense 200 0" "more bytes than allowed" s3 s3-get "key=$object.rsp" "save=$tmp/got" max=1000
	check "no such object" answers "absent 404 0" "The specified key does not exist" s3 s3-get key=x "save=$tmp/got"
	rm "$tmp/s3/$id.rsp"
	check "a snapshot that was deleted here" answers "EBADMSG 0" "1 of 2 snapshots were deleted on this host" s3 s3
}

s3_memory() {
	head -c 200000000 /dev/zero >"$tmp/s3/$id.rsp"
	(ulimit -v 150000 && s3 s3 prefix=large) >"$tmp/answer" 2>&1
	head -n 1 "$tmp/answer"
	[ "$(head -n 1 "$tmp/answer")" = "accepted 0" ]
}

mkdir "$tmp/s3"
head -c 3000000 /dev/urandom >"$tmp/s3/$id.rsp"
echo small >"$tmp/s3/00112233445566778899aabbccddeeff.rsp"
if ! /usr/bin/python3 -c 'import swift' 2>/dev/null; then
	skip "an object store" "needs python3-swift"
elif start_server s3 "$tmp/swift"; then
	store=http://127.0.0.1:$ports
	s3_cases
	check "a large snapshot is not copied into memory" s3_memory
else
	cat "$tmp"/swift/*.log >&2
	fail "an object store" "$(tail -n 1 "$tmp/server.err")"
fi

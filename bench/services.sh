# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154
#
# Servers that benches put under load. A bench sources this file after lib.sh. start_NAME waits
# until the server answers, and sets $started to its PID.

redis_packages='redis-server redis-tools'
redis_host=127.73.67.11
start_redis() {
	start redis redis-server --bind "$redis_host" --port 6379 --save '' --appendonly no --dir "$work"
	await 10 redis_answers || fail "redis does not start"
}
redis_answers() {
	redis-cli -h "$redis_host" ping >/dev/null 2>&1
}

nginx_packages='nginx wrk curl'
nginx_host=127.73.67.12:8080
nginx_url=http://$nginx_host/
start_nginx() {
	mkdir "$work/www"
	head -c 1000 /dev/zero | tr '\0' x >"$work/www/index.html"
	chmod 755 "$work/www"
	cat >"$work/nginx.conf" <<-EOT
		user www-data;
		worker_processes 1;
		daemon off;
		pid $work/nginx.pid;
		error_log stderr;
		events { }
		http {
			access_log off;
			keepalive_requests 1000000;
			server { listen $nginx_host; root $work/www; }
		}
	EOT
	start nginx nginx -c "$work/nginx.conf"
	await 10 nginx_answers || fail "nginx does not start"
}
nginx_answers() {
	curl -sf "$nginx_url" >/dev/null
}

postgres_packages='postgresql'
start_postgres() {
	postgres_bin=$(find /usr/lib/postgresql -name initdb -printf '%h\n' | sort -V | tail -n 1)
	mkdir "$work/postgres"
	chown postgres: "$work/postgres"
	(cd / && setpriv --reuid postgres --regid postgres --clear-groups \
		"$postgres_bin/initdb" -A trust -D "$work/postgres") >"$work/initdb.log" 2>&1 ||
		fail "initdb: $(tail -n 1 "$work/initdb.log")"
	export PGHOST="$work/postgres" PGUSER=postgres
	start postgres setpriv --reuid postgres --regid postgres --clear-groups \
		"$postgres_bin/postgres" -D "$work/postgres" -k "$work/postgres" -c listen_addresses= -c fsync=off
	await 20 psql -c 'select 1' >/dev/null 2>&1 || fail "postgres does not start"
}

mariadb_packages='mariadb-server mariadb-client'
start_mariadb() {
	mkdir "$work/mariadb"
	chown mysql: "$work/mariadb"
	mariadb-install-db --no-defaults --user=mysql --datadir="$work/mariadb" \
		--auth-root-authentication-method=socket >"$work/mariadb-install.log" 2>&1 ||
		fail "mariadb-install-db: $(tail -n 1 "$work/mariadb-install.log")"
	mariadb_socket=$work/mariadb/socket
	start mariadb mariadbd --no-defaults --user=mysql --datadir="$work/mariadb" \
		--socket="$mariadb_socket" --skip-networking
	await 30 mariadb-admin --no-defaults --socket="$mariadb_socket" ping >/dev/null 2>&1 ||
		fail "mariadb does not start"
}

etcd_packages='etcd-server wrk curl'
etcd_url=http://127.73.67.13:2379
start_etcd() {
	start etcd etcd --data-dir "$work/etcd" --log-level error \
		--listen-client-urls "$etcd_url" --advertise-client-urls "$etcd_url" \
		--listen-peer-urls http://127.73.67.13:2380
	await 20 etcd_answers || fail "etcd does not start"
}
etcd_answers() {
	curl -sf "$etcd_url/health" >/dev/null
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fleet.conf: the addresses of ClickHouse and of the object store, and the paths of files
 * with their secrets. A secret is only in a file that only its owner may read, never in an option
 * or a setting.
 */
#ifndef RSP_FLEET_CONFIG_H
#define RSP_FLEET_CONFIG_H

#define RSP_FLEET_NAME_MAX   256
#define RSP_FLEET_SECRET_MAX 512

/* Strings are "" if not set. */
struct rsp_fleet_config {
	struct {
		char url[RSP_FLEET_NAME_MAX], database[RSP_FLEET_NAME_MAX];
		char user[RSP_FLEET_NAME_MAX], password_file[RSP_FLEET_NAME_MAX];
		char ca_file[RSP_FLEET_NAME_MAX];
	} clickhouse;
	struct {
		char url[RSP_FLEET_NAME_MAX]; /* or file:///DIRECTORY */
		char bucket[RSP_FLEET_NAME_MAX], region[RSP_FLEET_NAME_MAX];
		char key_id[RSP_FLEET_NAME_MAX], secret_file[RSP_FLEET_NAME_MAX];
		char ca_file[RSP_FLEET_NAME_MAX];
	} s3;
};

/*
 * Reads the configuration at path. If path is NULL, reads fleet.conf of the user or, without it, of
 * the system, and the drop-ins. None of these files needs to exist. Returns an enum rsp_exit, and
 * reports errors.
 */
int rsp_fleet_config_read(const char *path, struct rsp_fleet_config *ret);

/*
 * Reads the first line of a file with a secret. If path is "", the secret is "". Returns an enum
 * rsp_exit.
 */
int rsp_fleet_secret_read(const char *path, char ret[static RSP_FLEET_SECRET_MAX]);

#endif

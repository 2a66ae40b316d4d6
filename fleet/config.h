/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fleet.conf: the URLs of ClickHouse and of the object store, and the paths of files that
 * contain their secrets. Secrets are only in files without permissions for others, never in options
 * or settings.
 */
#ifndef RSP_FLEET_CONFIG_H
#define RSP_FLEET_CONFIG_H

#define RSP_FLEET_NAME_MAX   256
#define RSP_FLEET_SECRET_MAX 512

/* A missing setting is "". */
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
 * If path is NULL, reads the fleet.conf of the user or, if there is none, of the system, and then
 * the drop-ins of both. All these files may be missing. Reports errors. Returns an enum rsp_exit.
 */
int rsp_fleet_config_read(const char *path, struct rsp_fleet_config *ret);

/*
 * The secret is the first line of the file, or "" if path is "". Reports errors. Returns an enum
 * rsp_exit.
 */
int rsp_fleet_secret_read(const char *path, char ret[static RSP_FLEET_SECRET_MAX]);

#endif

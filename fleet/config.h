/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fleet.conf: the places of ClickHouse and the object store, and the files with their
 * secrets. Only the owner of a secret's file may be able to read it. Secrets are neither options
 * nor settings.
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
 * Reads the file at path; NULL: fleet.conf of the user, else of the system, and their drop-ins;
 * none of them must exist. Returns an enum rsp_exit; errors are reported.
 */
int rsp_fleet_config_read(const char *path, struct rsp_fleet_config *ret);

/* Reads the first line of a secret's file. path "": the secret is "". Returns an enum rsp_exit. */
int rsp_fleet_secret_read(const char *path, char ret[static RSP_FLEET_SECRET_MAX]);

#endif

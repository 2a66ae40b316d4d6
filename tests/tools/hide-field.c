/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hide-field NAME… <BTF >COPY: copies a kernel's type information (BTF), and renames all struct
 * members that are called NAME. The offsets stay the same. Tests use this to simulate a kernel
 * without these members.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BTF_BYTES_MAX (32U << 20)

/*
 * Returns the position of name in BTF, or NULL. BTF stores each name once, between two NUL bytes.
 */
static char *find(char *bytes, size_t len, const char *name)
{
	size_t name_len = strlen(name) + 1;

	for (char *at = bytes; (at = memchr(at, '\0', len - (size_t)(at - bytes))); at++)
		if ((size_t)(at - bytes) + 1 + name_len <= len && !memcmp(at + 1, name, name_len))
			return at + 1;
	return NULL;
}

int main(int argc, char **argv)
{
	char *bytes = malloc(BTF_BYTES_MAX);
	size_t len = bytes ? fread(bytes, 1, BTF_BYTES_MAX, stdin) : 0;

	for (int i = 1; i < argc; i++) {
		char *name = len ? find(bytes, len, argv[i]) : NULL;

		if (!name) {
			fprintf(stderr, "hide-field: no member is called %s\n", argv[i]);
			return EXIT_FAILURE;
		}
		/* no C identifier begins with a digit */
		name[0] = '0';
	}
	return fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0 ? EXIT_SUCCESS
									   : EXIT_FAILURE;
}

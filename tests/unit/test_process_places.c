/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/base/places.h"

#define USER 4711

static int places;
static pid_t holders[RSP_PLACES_MAX];

/* Starts a process that takes a place (daemon/base/places.h) for a user and keeps it. */
static pid_t hold(uid_t uid)
{
	int ready[2], place = -1;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		place = rsp_places_take(places);
		if (place >= 0)
			rsp_places_use(places, place, uid);
		if (write(ready[1], &place, sizeof(place)) == sizeof(place))
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &place, sizeof(place)), sizeof(place));
	assert_true(place >= 0);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end(pid_t *pid)
{
	kill(*pid, SIGKILL);
	waitpid(*pid, NULL, 0);
	*pid = 0;
}

static int setup(void **state)
{
	places = rsp_places_new();
	return places < 0;
}

static int teardown(void **state)
{
	for (int i = 0; i < RSP_PLACES_MAX; i++)
		if (holders[i])
			end(&holders[i]);
	close(places);
	return 0;
}

static void test_places_are_held_until_the_end(void **state)
{
	for (int i = 0; i < RSP_PLACES_MAX; i++)
		holders[i] = hold(USER + (uid_t)i);
	assert_int_equal(rsp_places_take(places), -EBUSY);
	end(&holders[3]);
	assert_int_equal(rsp_places_take(places), 3);
}

static void test_a_user_uses_half_of_them(void **state)
{
	int place;

	for (int i = 0; i < RSP_PLACES_MAX / 2; i++)
		holders[i] = hold(USER);
	place = rsp_places_take(places);
	assert_true(place >= 0);
	assert_false(rsp_places_use(places, place, USER));
	assert_true(rsp_places_use(places, place, USER + 1));
	end(&holders[0]);
	assert_true(rsp_places_use(places, place, USER));
}

static void test_root_uses_all(void **state)
{
	int place;

	for (int i = 0; i < RSP_PLACES_MAX - 1; i++)
		holders[i] = hold(0);
	place = rsp_places_take(places);
	assert_true(place >= 0);
	assert_true(rsp_places_use(places, place, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_places_are_held_until_the_end, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_a_user_uses_half_of_them, setup, teardown),
		cmocka_unit_test_setup_teardown(test_root_uses_all, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

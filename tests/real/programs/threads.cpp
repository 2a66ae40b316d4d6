// SPDX-License-Identifier: GPL-2.0-or-later

// threads timed|barrier: the main thread waits for another thread, which computes for 1.2 s by the
// clock. Prints how long it waited, in ms.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <thread>

using namespace std::chrono;

static volatile unsigned long sink;
static std::mutex lock;
static std::condition_variable ready;
static bool is_ready;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void slow_computation()
{
	for (auto end = steady_clock::now() + milliseconds(1200); steady_clock::now() < end;)
		for (int i = 0; i < 10000; i++)
			sink += i;
}

static void notifies()
{
	slow_computation();
	std::lock_guard<std::mutex> guard(lock);
	is_ready = true;
	ready.notify_one();
}

static void arrives()
{
	slow_computation();
	pthread_barrier_wait(&barrier);
}

/* Checks every 50 ms. */
static void wait_for_notification()
{
	std::unique_lock<std::mutex> guard(lock);

	while (!ready.wait_for(guard, milliseconds(50), [] { return is_ready; }))
		;
}

int main(int, char **argv)
{
	bool timed = !strcmp(argv[1], "timed");
	auto begin = steady_clock::now();

	pthread_barrier_init(&barrier, nullptr, 2);
	std::thread worker(timed ? notifies : arrives);
	if (timed)
		wait_for_notification();
	else
		pthread_barrier_wait(&barrier);
	printf("ms %f\n", duration<double, std::milli>(steady_clock::now() - begin).count());
	fflush(stdout);
	worker.join();
}

// SPDX-License-Identifier: GPL-2.0-or-later

import java.util.*;
import java.util.concurrent.*;

/**
 * Monitor monitor|pool|connections|gc: monitor, pool and connections print how long the main thread
 * waited, in ms. gc makes many objects.
 */
public class Monitor {
	static final Object lock = new Object();
	static volatile long sink;

	static void computeFor(long ms) {
		long begin = System.nanoTime(), x = 0;
		while (System.nanoTime() - begin < ms * 1000000L)
			for (int i = 0; i < 1000; i++)
				x += i * x + 1;
		sink = x;
	}

	static void holderCriticalSection(CountDownLatch held) {
		synchronized (lock) {
			held.countDown();
			computeFor(1200);
		}
	}

	static Void query(Semaphore connections, long ms) throws Exception {
		connections.acquire();
		Thread.sleep(ms);
		connections.release();
		return null;
	}

	static void print(long begin) {
		System.out.println("ms " + (System.nanoTime() - begin) / 1e6);
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("monitor")) {
			CountDownLatch held = new CountDownLatch(1);
			Thread holder = new Thread(() -> holderCriticalSection(held), "holder");
			holder.start();
			held.await();
			long begin = System.nanoTime();
			synchronized (lock) {
				print(begin);
			}
			holder.join();
		}
		if (args[0].equals("pool")) {
			ExecutorService pool = Executors.newFixedThreadPool(1);
			long begin = System.nanoTime();
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < 4; i++)
				all.add(pool.submit(() -> computeFor(350)));
			for (Future<?> f : all)
				f.get();
			print(begin);
			pool.shutdown();
		}
		if (args[0].equals("connections")) {
			ExecutorService pool = Executors.newFixedThreadPool(4);
			Semaphore connections = new Semaphore(1, true);
			long begin = System.nanoTime();
			for (int i = 0; i < 3; i++)
				pool.submit(() -> query(connections, 400));
			while (connections.getQueueLength() < 2)
				Thread.sleep(1);
			pool.submit(() -> query(connections, 1)).get();
			print(begin);
			pool.shutdown();
		}
		if (args[0].equals("gc")) {
			Object[] keep = new Object[20000];
			Random random = new Random(1);
			for (int i = 0; i < 1500000; i++)
				keep[i < keep.length ? i : random.nextInt(keep.length)] = new byte[1500];
			sink = keep.length;
		}
	}
}

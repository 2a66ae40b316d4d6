// SPDX-License-Identifier: GPL-2.0-or-later

import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;

/**
 * Answers PORT LOG plain|monitor|gc: an HTTP server with a pool of eight threads that answers at
 * once. monitor: each request needs a monitor, which the thread "compactor" holds for 40 ms every
 * 400 ms while it computes. LOG gets a line for each request that waited for the monitor for more
 * than a millisecond: its number (?id=N) and the wait in ms. gc: the thread "importer" makes
 * objects, and keeps the newest 400,000.
 */
public class Answers {
	static final Object index = new Object();
	static volatile long sink;

	static void computeFor(long ms) {
		long begin = System.nanoTime(), x = 0;
		while (System.nanoTime() - begin < ms * 1000000L)
			for (int i = 0; i < 1000; i++)
				x += i * x + 1;
		sink = x;
	}

	static void compact() {
		synchronized (index) {
			computeFor(40);
		}
	}

	static void sleep(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new RuntimeException(e);
		}
	}

	static void background(String name, Runnable work) {
		Thread thread = new Thread(() -> {
			for (;;)
				work.run();
		}, name);
		thread.setDaemon(true);
		thread.start();
	}

	static final Object[] kept = new Object[400000];
	static int next;

	static void importSome() {
		for (int i = 0; i < 6000; i++)
			kept[next++ % kept.length] = new byte[80];
		sleep(5);
	}

	static void answer(HttpExchange exchange, boolean needsMonitor, PrintWriter log) throws IOException {
		if (needsMonitor) {
			long begin = System.nanoTime(), got;
			synchronized (index) {
				got = System.nanoTime();
				sink++;
			}
			if (got - begin > 1000000)
				log.println(exchange.getRequestURI().getQuery().substring(3) + " " + (got - begin) / 1e6);
		}
		exchange.sendResponseHeaders(200, 2);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(new byte[] {'o', 'k'});
		}
	}

	public static void main(String[] args) throws Exception {
		PrintWriter log = new PrintWriter(new FileOutputStream(args[1]), true);
		boolean needsMonitor = args[2].equals("monitor");
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.createContext("/", exchange -> answer(exchange, needsMonitor, log));
		if (needsMonitor)
			background("compactor", () -> {
				sleep(360);
				compact();
			});
		if (args[2].equals("gc"))
			background("importer", Answers::importSome);
		server.start();
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * worker.js: the main thread waits for a worker thread, which computes for 1.2 s. Prints how long
 * it waited, in ms.
 */
const { Worker, isMainThread, workerData } = require('worker_threads');

function heavyLoop(ms) {
  let x = 0;
  for (const end = Date.now() + ms; Date.now() < end;)
    for (let i = 0; i < 10000; i++) x += Math.sqrt(x + i);
  return x;
}

if (isMainThread) {
  const shared = new Int32Array(new SharedArrayBuffer(4)), begin = performance.now();
  new Worker(__filename, { workerData: shared });
  Atomics.wait(shared, 0, 0);
  console.log('ms ' + (performance.now() - begin));
} else {
  heavyLoop(1200);
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
}

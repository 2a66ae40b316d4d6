// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answers.js PORT LOG: an HTTP server. /compute/MS?id=N computes for MS by the clock, other
 * requests are answered at once. LOG gets a line for each /compute: N, begin and end in ns of
 * CLOCK_MONOTONIC.
 */
const fs = require('fs'), http = require('http');
const [port, log] = process.argv.slice(2);

function expensiveReport(ms) {
  let x = 0;
  for (const end = process.hrtime.bigint() + BigInt(ms) * 1000000n; process.hrtime.bigint() < end;)
    for (let i = 0; i < 1000; i++) x += Math.sqrt(x + i);
  return x;
}

http.createServer((request, response) => {
  const [, what, ms, id] = request.url.match(/^\/(\w*)(?:\/(\d+))?\?id=(\d+)/) || [];
  if (what === 'compute') {
    const begin = process.hrtime.bigint();
    expensiveReport(ms);
    fs.appendFileSync(log, `${id} ${begin} ${process.hrtime.bigint()}\n`);
  }
  response.end('ok');
}).listen(+port, '127.0.0.1');

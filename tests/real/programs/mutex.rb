# SPDX-License-Identifier: GPL-2.0-or-later
# mutex.rb: a thread holds a mutex while it computes for 1.2 s, and the main thread waits for it.
# Prints how long it waited, in ms.

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

lock, held = Mutex.new, Queue.new
Thread.new do
  lock.synchronize do
    held << true
    finish, x = now + 1.2, 0
    x += 1 while now < finish
  end
end
held.pop
start = now
lock.lock
puts "ms #{(now - start) * 1000}"

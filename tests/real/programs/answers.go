// SPDX-License-Identifier: GPL-2.0-or-later

// answers PORT LOG [mutex]: an HTTP server that answers at once. With mutex, each request needs a
// lock, which another goroutine holds for 40 ms every 400 ms while it computes. LOG gets a line for
// each request that waited for the lock for more than a millisecond: its number (?id=N) and the wait
// in ms. Each line of LOG.held has two times in ms: how long the lock was held, and the CPU time of
// the program meanwhile.
package main

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

var mu sync.Mutex
var sink int

func cpuMs() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

//go:noinline
func compact(log *os.File) {
	mu.Lock()
	begin, cpu := time.Now(), cpuMs()
	for time.Since(begin) < 40*time.Millisecond {
		for i := 0; i < 10000; i++ {
			sink += i
		}
	}
	held, cpu := time.Since(begin), cpuMs()-cpu
	mu.Unlock()
	fmt.Fprintln(log, float64(held.Microseconds())/1e3, cpu)
}

func create(path string) *os.File {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	return file
}

func main() {
	needsLock := len(os.Args) > 3
	log := create(os.Args[2])
	if needsLock {
		held := create(os.Args[2] + ".held")
		go func() {
			for {
				time.Sleep(360 * time.Millisecond)
				compact(held)
			}
		}()
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if needsLock {
			begin := time.Now()
			mu.Lock()
			waited := time.Since(begin)
			sink++
			mu.Unlock()
			if waited > time.Millisecond {
				fmt.Fprintln(log, r.URL.Query().Get("id"), float64(waited.Microseconds())/1e3)
			}
		}
		fmt.Fprint(w, "ok")
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

// SPDX-License-Identifier: GPL-2.0-or-later

// answers PORT LOG [mutex]: an HTTP server that answers at once. With mutex, each request needs a lock that another
// goroutine holds for 40 ms every 400 ms while it computes; LOG gets a line for each request that waited for it for a
// millisecond: its number (?id=N) and the wait in ms.
package main

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

var mu sync.Mutex
var sink int

//go:noinline
func compact() {
	mu.Lock()
	for begin := time.Now(); time.Since(begin) < 40*time.Millisecond; {
		for i := 0; i < 10000; i++ {
			sink += i
		}
	}
	mu.Unlock()
}

func main() {
	needsLock := len(os.Args) > 3
	log, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	if needsLock {
		go func() {
			for {
				time.Sleep(360 * time.Millisecond)
				compact()
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

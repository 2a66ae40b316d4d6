// SPDX-License-Identifier: GPL-2.0-or-later

// gotest mutex|channel|http URL: prints how long it waited, and the CPU time that it used, in ms.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

var mu sync.Mutex
var sink int

func computeFor(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
		for i := 0; i < 100000; i++ {
			sink += i
		}
	}
}

//go:noinline
func holderCriticalSection(held chan bool) {
	mu.Lock()
	held <- true
	computeFor(1200 * time.Millisecond)
	mu.Unlock()
}

//go:noinline
func slowProducer(items chan int) {
	for i := 0; i < 6; i++ {
		computeFor(200 * time.Millisecond)
		items <- i
	}
	close(items)
}

func main() {
	var begin time.Time
	switch os.Args[1] {
	case "mutex":
		held := make(chan bool)
		go holderCriticalSection(held)
		<-held
		begin = time.Now()
		mu.Lock()
	case "channel":
		items := make(chan int)
		begin = time.Now()
		go slowProducer(items)
		for range items {
		}
	case "http":
		begin = time.Now()
		answer, err := http.Get(os.Args[2])
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, answer.Body)
	}
	fmt.Println("ms", float64(time.Since(begin).Microseconds())/1e3)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	fmt.Println("cpu", float64(used.Utime.Nano()+used.Stime.Nano())/1e6)
}

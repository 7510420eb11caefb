#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions of Go: each call has an entry and a return, also while stacks grow, which starts a function again, and frames of any size.
# What the program prints is as ever.
# @needs go
# @vm no: the compiler takes long there
set -u
. "${0%/*}/lib.sh"
cat >a.go <<'END'
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type T struct{ n int }

//go:noinline
func (t *T) Method(i int) int { return t.n + i }

//go:noinline
func deep(n int) int {
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		return pad[0]
	}
	return deep(n-1) + pad[n%64] - n
}

//go:noinline
func large(n int) int {
	var pad [40000]int
	pad[n%64] = n
	return pad[n%64] + pad[(n+7)%40000]
}

//go:noinline
func thrown(n int) (r int) {
	defer func() { r = recover().(int) }()
	if n >= 0 {
		panic(n)
	}
	return 0
}

func main() {
	var wg sync.WaitGroup
	t := &T{1}
	sum := 0
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 3; i++ {
				deep(1000)
				runtime.GC()
			}
		}()
	}
	wg.Wait()
	for i := 0; i < 100; i++ {
		sum += t.Method(i) + large(i) + thrown(i)
	}
	fmt.Println(sum)
}
END
printf 'module a\ngo 1.19\n' >go.mod
HOME=$PWD GOCACHE=$PWD/cache GOFLAGS=-mod=mod go build -o a . >build.txt 2>&1 || { echo "go does not work: $(<build.txt)"; exit 77; }
plain=$(./a)
wanted='Method 100 100
deep 24024 24024
large 100 100
main 1 1
thrown 100 100'
try "$DTRACE" -qn 'pid$target:a.out:main.*:entry { @in[probefunc] = count(); } pid$target:a.out:main.*:return { @out[probefunc] = count(); }
	END { printa("%s %@d %@d\n", @in, @out); }' -c ./a
expect_status 0
expect_err ""
expect_text output "$(head -1 out.txt)" "$plain"
# returns that a panic left out are no returns
expect_text counts "$(sed -n 's/^main\.\((\*T)\.\)\?\(Method\|deep\|large\|main\|thrown\) /\2 /p' out.txt | sort)" "$wanted"
# a name as a list has it
try "$DTRACE" -qn 'pid$target:a.out:main.(*T).Method:entry { @ = count(); } END { printa("%@d\n", @); }' -c ./a
expect_text method "$(grep . out.txt | tail -1)" 100
# the whole of it, with its run-time library, ends as ever
try "$DTRACE" -qn 'pid$target:a.out::entry { @ = count(); }' -c ./a
expect_status 0
expect_text output "$(head -1 out.txt)" "$plain"
finish

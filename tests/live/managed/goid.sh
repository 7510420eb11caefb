#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# goid is the number that Go itself prints for the goroutine; 0 in other programs.
# @needs go
# @timeout 120
# @vm no: the compiler takes long there, and the kernel has no part in it
cd "$TMPDIR" || exit 1
cat >ids.go <<'GO'
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

func main() {
	var wg sync.WaitGroup
	var lock sync.Mutex
	for i := 0; i < 40; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			text := make([]byte, 64)
			id := strings.Fields(string(text[:runtime.Stack(text, false)]))[1]
			syscall.Getppid()
			lock.Lock()
			fmt.Println(id)
			lock.Unlock()
		}()
	}
	wg.Wait()
}
GO
HOME=$TMPDIR GOCACHE=$TMPDIR/cache GO111MODULE=off go build -o ids ids.go || exit 1
for file in ids stripped; do
	[[ $file == ids ]] || strip -o stripped ids
	rm -f traced
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", goid); }' -o traced -c "./$file" >said 2>err || { cat err; exit 1; }
	cat err
	# refused by its version, which is not one of those that the message names
	read -r minor < <(go env GOVERSION | sed -E 's/^go1\.([0-9]+).*/\1/')
	read -r first last < <(sed -nE 's/.*(goid does not know its version of Go); it knows 1\.([0-9]+) to 1\.([0-9]+)$/\2 \3/p' err)
	[[ -z $first || ($minor -ge $first && $minor -le $last) ]] || { echo "goid does not know Go 1.$minor"; exit 77; }
	[[ $(wc -l <said) == 40 ]] || { echo "$file: $(wc -l <said) goroutines"; exit 1; }
	diff <(sort -n said) <(grep . traced | sort -n) || { echo "$file: goid differs"; exit 1; }
done
got=$("$DTRACE" -qn 'syscall::exit_group:entry /pid == $target/ { printf("%d", goid); }' -c true)
[[ $got == 0 ]] || { echo "true: goid $got"; exit 1; }

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sections of a traced program that are larger than any real one's, in a sparse file, are not read into memory.
# @vm no: needs a file system with sparse files
# @needs cc python3
# @timeout 120
set -u
. "${0%/*}/../cli/lib.sh"

cat >p.c <<'C'
#include <unistd.h>
struct s { int a; };
__attribute__((noinline)) int f(struct s *p) { return p->a + getppid(); }
int main(void) { struct s s = {1}; return f(&s) & 0; }
C
cc -g -O1 -o p p.c || exit 1

# Copies p to FILE, where SECTION has so many gigabytes of zeros.
widen() { # FILE SECTION GIGABYTES
	python3 - "$@" <<'PY'
import os, shutil, struct, sys
name, section, size = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3]) << 30
shutil.copy("p", name)
with open(name, "r+b") as f:
    data = f.read()
    shoff, shentsize, shnum, shstrndx = struct.unpack_from("<Q10xHHH", data, 40)
    at = lambda i: shoff + i * shentsize
    strings = struct.unpack_from("<Q", data, at(shstrndx) + 24)[0]
    for i in range(shnum):
        start = strings + struct.unpack_from("<I", data, at(i))[0]
        if data[start:data.index(b"\0", start)] == section:
            struct.pack_into("<QQ", data := bytearray(data), at(i) + 24, 1 << 20, size)
            f.seek(0)
            f.write(data)
            f.truncate((1 << 20) + size)
            sys.exit(0)
sys.exit(f"no {section}")
PY
}

# Runs dtrace, which must not have had more than 700 MB of memory.
bounded() {
	try python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open("peak", "w"))
sys.exit(status)' "$DTRACE" "$@"
	[[ $(<peak) -lt 700000 ]] || complain "$(<peak) KB of memory"
}

# shellcheck disable=SC2016
args='pid$target:a.out:f:entry { print(*args[0]); exit(0); }'
# shellcheck disable=SC2016
stack='syscall::getppid:entry /pid == $target/ { ustack(2); exit(0); }'
bounded -qn "$args" -c ./p
expect_status 0
expect_match stdout "$out" 'a = \(int\)1'

widen types .debug_info 5
bounded -qn "$args" -c ./types
expect_status 1
expect_match stderr "$err" 'debug information of .*/types is larger than 4 GB, or .* and is not read'
bounded -x ustackline -qn "$stack" -c ./types
expect_status 0
expect_match stdout "$out" 'types`f\+0x'

for section in .symtab .strtab .shstrtab .note.gnu.build-id .eh_frame; do
	widen wide "$section" 2
	bounded -x ustackline -qn "$stack" -c ./wide
	expect_status 0
	expect_match stdout "$out" 'wide`'
	# shellcheck disable=SC2016
	bounded -ln 'app$target:::' -c ./wide
	expect_match stderr "$err" 'No probe matches description'
	rm wide
done
finish

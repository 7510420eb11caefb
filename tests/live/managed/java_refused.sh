#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Java VM of a version that is not known is refused by name, and so is one that is not HotSpot.
# @needs cc
. "$SRCDIR/tests/live/managed/jvm.sh"
cat >spin.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	volatile long n = 0;
	if (!dlopen(argv[1], RTLD_NOW))
		return 1;
	printf("ready\n");
	fflush(stdout);
	for (;;)
		n++;
}
C
# the tables with one entry, the version
cat >vm.c <<'C'
#ifdef VERSION
#include <stdint.h>
static int major = VERSION;
struct { const char *type, *field, *text; int32_t is_static; uint64_t offset; void *address; } structs[] = {
	{"Abstract_VM_Version", "_vm_major_version", "int", 1, 0, &major}, {0}};
struct { const char *name; uint64_t size; } types[1];
struct { const char *name; int32_t value; } ints[1];
void *gHotSpotVMStructs = structs, *gHotSpotVMTypes = types, *gHotSpotVMIntConstants = ints;
#define N(name, value) uint64_t gHotSpotVM##name = value;
N(StructEntryArrayStride, 48) N(StructEntryTypeNameOffset, 0) N(StructEntryFieldNameOffset, 8)
N(StructEntryIsStaticOffset, 24) N(StructEntryOffsetOffset, 32) N(StructEntryAddressOffset, 40)
N(TypeEntryArrayStride, 16) N(TypeEntryTypeNameOffset, 0) N(TypeEntrySizeOffset, 8)
N(IntConstantEntryArrayStride, 16) N(IntConstantEntryNameOffset, 0) N(IntConstantEntryValueOffset, 8)
#else
int not_hotspot;
#endif
void some_code(void) {}
C
cc -o spin spin.c -ldl || exit 1

# check WORDS... SAID: what dtrace says of the VM that is compiled with WORDS
check() {
	local said=${*: -1}
	rm -rf vm && mkdir vm && cc -shared -fPIC -o vm/libjvm.so vm.c "${@:1:$#-1}" || exit 1
	: >said
	./spin ./vm/libjvm.so >said &
	jvm=$!
	until grep -q ready said; do
		kill -0 "$jvm" || exit 1
		sleep 0.1
	done
	# the frames of C are there as ever
	"$DTRACE" -q -p "$jvm" -n 'profile-97 /pid == $target/ { @[jstack()] = count(); n++; } profile-97 /n >= 10/ { exit(0); }' >out 2>err ||
		{ cat err; exit 1; }
	grep -q 'spin`main' out || { echo "no frames of C:"; cat out err; exit 1; }
	grep -qF "process $jvm: jstack() does not know its $said; it knows Java 17" err ||
		{ echo "instead of: $said"; cat err; exit 1; }
	jvm_stop
}

check -DVERSION=99 'Java 99'
check -DVERSION=17 'build of Java 17'
check 'Java VM, which is not HotSpot'

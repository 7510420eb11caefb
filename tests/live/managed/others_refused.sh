#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A PHP or Ruby whose structures are not known is refused by name, and has native frames only: of another version, for threads, with
# --enable-debug, with symbols, modules or code that are not those of its version.
# @timeout 60
# @needs cc
# @vm no: each of the twelve programs loads the walkers, which takes half a minute there
cd "$TMPDIR" || exit 1
cat >php.c <<'C'
#include <unistd.h>
#define DATA __attribute__((used, visibility("default")))
#ifdef VERSION
DATA const char header[] = "X-Powered-By: PHP/" VERSION;
#endif
#ifdef NEWEST
DATA long NEWEST;
#endif
#ifndef LACKING
DATA long executor_globals[300];
#endif
struct { unsigned short size; unsigned api; unsigned char debug, zts; } core = {168, API, 0, 0};
struct { void *entry; long rest[3]; } bucket = {&core};
DATA struct { long head[2]; void *data; unsigned used; } module_registry = {.data = &bucket, .used = 1};
int DATA execute_ex(void)
{
#ifndef OTHER
	if (!core.size)
		__asm__ volatile("jmp *(%r15)");
#endif
	return getppid();
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		execute_ex();
}
C
cat >ruby.c <<'C'
#include <unistd.h>
#define DATA __attribute__((used, visibility("default")))
DATA const char ruby_version[] = VERSION;
DATA long ruby_current_ec;
#define EMPTY(name) void DATA name(void) { }
EMPTY(rb_iseq_label) EMPTY(rb_iseq_first_lineno) EMPTY(rb_iseq_path)
#ifndef LACKING
EMPTY(rb_profile_frames)
#endif
int DATA rb_vm_exec(void) { return getppid(); }
int main(void)
{
	for (int i = 0; i < 3; i++)
		rb_vm_exec();
}
C

refused() { # LANGUAGE LOOP KNOWN NAME WANTED CC-OPTIONS
	local language=$1 loop=$2 known=$3 name=$4 want=$5
	shift 5
	cc -O0 -rdynamic -w -o "$name" "${language,,}.c" "$@" || exit 1
	"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { jstack(); }' -o out -c "./$name" 2>err || { cat err; exit 1; }
	sed -E 's/process [0-9]+/process N/' err | diff - <(echo "dtrace: process N: jstack() does not know its $language, $want; it knows $language $known") || exit 1
	grep -q "\`$loop" out && ! grep -qE "(php|ruby)\`" out || { cat out; exit 1; }
	rm out
}
php() { refused PHP execute_ex 8.2 "$@"; }
ruby() { refused Ruby rb_vm_exec 3.1 "$@"; }

php php7.4 7.4.33 -DAPI=20190902 '-DVERSION="7.4.33"'
php php-fpm8.3 8.3.6 -DAPI=20230831 '-DVERSION="8.3.6"'
php php-cgi "whose version is not known" -DAPI=20220829
php php-zts "a build for threads (ZTS)" -DAPI=20220829 '-DVERSION="8.2.36"' -DNEWEST=executor_globals_offset
php php-debug "a build with --enable-debug" -DAPI=20220829 '-DVERSION="8.2.36"' -DNEWEST=zend_rc_debug
php php8.2 "whose symbols are not all there" -DAPI=20220829 '-DVERSION="8.2.36"' -DLACKING
php php8.2 "whose modules are not of its version" -DAPI=20220830 '-DVERSION="8.2.36"'
php php8.2 "whose interpreter is not compiled as GCC does it" -DAPI=20220829 '-DVERSION="8.2.36"' -DOTHER
ruby ruby2.7 2.7.8 '-DVERSION="2.7.8"'
ruby ruby3.3 3.3.0 '-DVERSION="3.3.0"'
ruby ruby3.1 "whose symbols are not all there" '-DVERSION="3.1.2"' -DLACKING
ruby ruby3.1 "whose structures are not those of its version" '-DVERSION="3.1.2"'

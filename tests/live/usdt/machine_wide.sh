#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# What attaching by file says and how it ends: -v names the file and how many processes map it; children for which there is no
# room among the followed are counted; more files than are remembered change no count; and with option hold file systems that
# are mounted while tracing are held, too.
# @ref providers 16.4 by-file every-firing
# @alone
set -u
. "${0%/*}/lib.sh"

printf '%s\n' 'provider wide { probe hit(int); };' >prov.d
"$DTRACE" -h -s prov.d || complain "no header"
cat >wide.c <<'END'
/*
 * wide hits		fires 10 times
 * wide wait		maps what it is and waits for its end
 * wide fill		fills the map of followed processes of its parent, dtrace; then it and a child fire 10 times each
 * wide files N LATER	maps N files that nobody knows, then executes LATER
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prov.h"
static void hit(void)
{
	for (int i = 0; i < 10; i++)
		WIDE_HIT(i);
}
static int map_of(const char *path)
{
	union bpf_attr attr;
	struct bpf_map_info info = {0};
	FILE *f = fopen(path, "r");
	char line[256];
	int fd = -1;

	memset(&attr, 0, sizeof(attr));
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "map_id: %u", &attr.map_id) == 1)
			fd = (int)syscall(SYS_bpf, BPF_MAP_GET_FD_BY_ID, &attr, sizeof(attr));
	if (f)
		fclose(f);
	if (fd < 0)
		return -1;
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (!syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) && !strncmp(info.name, "dt_followed", 11))
		return fd;
	close(fd);
	return -1;
}
static uint32_t fill(void)
{
	char folder[64], path[400];
	uint32_t key = 1u << 30, n = 0, one = 1;
	struct dirent *e;
	int fd = -1;
	DIR *dir;

	snprintf(folder, sizeof(folder), "/proc/%d/fdinfo", getppid());
	dir = opendir(folder);
	while (dir && fd < 0 && (e = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		fd = map_of(path);
	}
	for (;; key++, n++) {
		union bpf_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.map_fd = (uint32_t)fd;
		attr.key = (uintptr_t)&key;
		attr.value = (uintptr_t)&one;
		if (syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)))
			return n;
	}
}
int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE);

	if (!strcmp(argv[1], "hits"))
		hit();
	if (!strcmp(argv[1], "wait"))
		pause();
	if (!strcmp(argv[1], "fill")) {
		printf("%d\n", fill() > 1000);
		fflush(stdout);
		if (!fork()) {
			hit();
			_exit(0);
		}
		wait(NULL);
		hit();
	}
	for (int i = 0, n = argc > 3 ? atoi(argv[2]) : 0; i < n; i++) {
		int fd = memfd_create("wide", 0);
		void *p;

		if (ftruncate(fd, page))
			return 1;
		p = mmap(NULL, (size_t)page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		munmap(p, (size_t)page);
		close(fd);
		if (i % 50 == 0)
			usleep(1000); /* what happens is told in time */
	}
	if (argc > 3)
		execl(argv[3], argv[3], "hits", NULL);
	return 0;
}
END
gcc -O2 -o wide wide.c || complain "does not build"

# ---- -v
./wide wait & one=$!
./wide wait & two=$!
for pid in $one $two; do until grep -q wide /proc/$pid/maps; do sleep 0.01; done; done
for description in 'wide*:::hit' 'pid*:wide:main:entry'; do
	try "$DTRACE" -v -n "$description" -n 'BEGIN { exit(0); }'
	expect_match "-v of $description" "$out$err" "	$PWD/wide: attached in all processes; 2 map it now"
done
kill $two
wait $two 2>/dev/null
try "$DTRACE" -v -n 'wide*:::hit' -n 'BEGIN { exit(0); }'
expect_match "-v with one process" "$out$err" "	$PWD/wide: attached in all processes; 1 maps it now"
try "$DTRACE" -v -n "wide$one:::hit" -n 'BEGIN { exit(0); }'
[[ $out$err != *'attached in all processes'* ]] || complain "-v of one process: $out$err"
kill $one
wait $one 2>/dev/null

# ---- followed processes: the target is in the map, its child finds no room
try "$DTRACE" -q --follow --fail-on-drops -n 'wide$target:::hit { @ = count(); } END { printa("%@d", @); }' -c './wide fill'
expect_text "a full map" "$out" $'1\n10\n'
[[ $status != 0 ]] || complain "--fail-on-drops: status 0"
expect_err $'dtrace: 1 process ran before their probes were placed; their firings are unknown\n'

# ---- more files than are remembered: the program's file is looked at again, and attached no second time
what="many files"
[[ -n ${DTRACE_VM:-} ]] || {
	cp wide late
	printf './late hits; ./wide files 66000 ./late; ./late hits\n' >many.sh
	try "$DTRACE" -Zqn 'wide*:::hit { @[pid] = count(); } END { printa("%@d\n", @); }' -c 'sh many.sh'
	# the first may be too early, then it is counted; none is counted twice
	[[ $(grep -cx 10 out.txt) -ge 2 && -z $(awk '$1 > 10' out.txt) ]] || complain "$out$err"
	[[ $(grep -cx 10 out.txt) == 3 || $err == *" ran before their probes were placed; "* ]] || complain "silent: $out$err"
}

# ---- file systems that are mounted while a program is held
what="a new mount"
mkdir new
cat >mounts.sh <<'END'
mount -t tmpfs none new
sleep 0.5
cp wide new/first
./new/first hits
END
try unshare -m "$DTRACE" -Zqn 'wide*:::hit { @ = count(); } END { printa("%@d", @); }' -x hold=exec -c 'sh mounts.sh'
expect_text "$what" "$out" $'10\n'
expect_err ""
finish

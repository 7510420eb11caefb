/* SPDX-License-Identifier: Apache-2.0 */
/*
 * newer OBJECT: what a round of each program of newer.bpf.c takes in this kernel, "NAME ns" a line.
 * One that the kernel refuses to load is left out.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 100000

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	return 0;
}

/* Runs P alone in an object of its own: what others lack does not matter. */
static int measure(const char *path, const char *name)
{
	static const char text[] = "/usr/lib/x86_64-linux-gnu/libc.so.6";
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct {
		uint64_t ns, sum;
	} globals;
	uint64_t args = (uintptr_t)text;
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &args, .ctx_size_in = sizeof(args));
	const uint32_t key = 0;
	struct bpf_program *p;
	int fd, err = 0;

	if (!o)
		return -errno;
	bpf_object__for_each_program(p, o)
		bpf_program__set_autoload(p, !strcmp(bpf_program__name(p), name));
	if (!bpf_object__load(o)) {
		p = bpf_object__find_program_by_name(o, name);
		fd = bpf_map__fd(bpf_object__find_map_by_name(o, ".bss"));
		if (bpf_prog_test_run_opts(bpf_program__fd(p), &run) ||
			bpf_map_lookup_elem(fd, &key, &globals))
			err = -errno;
		else
			printf("%s %.2f\n", name, (double)globals.ns / ROUNDS);
	}
	bpf_object__close(o);
	return err;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {
		"loop_helper", "loop_iterator", "string_helper", "string_kfunc"};

	if (argc != 2)
		return 2;
	libbpf_set_print(quiet);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int err = measure(argv[1], names[i]);

		if (err) {
			fprintf(stderr, "newer: %s: %s\n", names[i], strerror(-err));
			return 1;
		}
	}
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
/*
 * Sets libbpf's print function and section handler. libbpf keeps its print function and its section
 * handlers for the whole process and does not lock them (libbpf.h, libbpf_register_prog_handler),
 * so these are the only globals of this folder.  The print function is put back when a load is
 * done.  The handler stays: taking away the last one leaves libbpf 1.1 with a freed table, and
 * other users of libbpf have no "dt/" sections.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "load/internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static libbpf_print_fn_t others_print;
static bool have_handler;
static __thread struct load *current;

static int print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (!current)
		return others_print ? others_print(level, fmt, ap) : 0;
	if (level == LIBBPF_WARN)
		buf_vprintf(&current->messages, fmt, ap);
	return 0;
}

static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	return current ? load_prepare(current, prog, opts) : -EINVAL;
}

static int add_handler(struct load *l)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare);
	int id;

	if (have_handler)
		return 0;
	id = libbpf_register_prog_handler("dt/", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &opts);
	if (id < 0)
		return load_fail(l, id, "cannot set up libbpf: %s", strerror(-id));
	have_handler = true;
	return 0;
}

int load_libbpf_enter(struct load *l)
{
	int err;

	pthread_mutex_lock(&lock);
	current = l;
	others_print = libbpf_set_print(print);
	err = add_handler(l);
	if (err)
		load_libbpf_leave();
	return err;
}

void load_libbpf_leave(void)
{
	libbpf_set_print(others_print);
	current = NULL;
	pthread_mutex_unlock(&lock);
}

int load_cpus(void)
{
	libbpf_print_fn_t before;
	int n;

	pthread_mutex_lock(&lock);
	before = libbpf_set_print(NULL);
	n = libbpf_num_possible_cpus();
	libbpf_set_print(before);
	pthread_mutex_unlock(&lock);
	return n;
}

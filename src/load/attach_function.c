// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to the gates that all functions of a process go through, once each, and tells
 * the programs which functions have probes (abi/function.h).
 */
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>

#include "abi/function.h"
#include "base/invariant.h"
#include "base/vec.h"
#include "load/internal.h"
#include "probe/attach.h"

static int put_known(struct load *l, const struct attach_site *s)
{
	return load_map_put(l, s->gate->map, (uint32_t)s->pid, s->gate->known, s->gate->size);
}

/* Programs are told apart by their descriptors, which stay open. */
static uint32_t place_of(int prog, const struct attach_gate *g, uint8_t frame)
{
	return DT_FUNCTION_PLACE(prog, g->ret, frame);
}

/* Counts the calls until then: whatever a program counts meanwhile is in a new element. */
static int put_at_place(struct load *l, int map, const struct dt_function *key, uint64_t cookie)
{
	const struct dt_function_probe v = {.cookie = cookie};
	struct dt_function_probe before;

	do {
		if (!bpf_map_lookup_and_delete_elem(map, key, &before) && !before.cookie)
			l->function_calls += before.calls;
		if (!bpf_map_update_elem(map, key, &v, BPF_NOEXIST))
			return 0;
	} while (errno == EEXIST);
	return -errno;
}

/* The function is found at each place of its gate that is about functions. */
static int put_function(struct load *l, int prog, const struct attach_site *s)
{
	int map = load_map_fd(l, DT_MAP_FUNCTIONS);
	const struct attach_function *f = s->function;
	struct dt_function key = {
		.code = f->code, .file = f->file, .name = f->name, .tgid = (uint32_t)s->pid};
	int err = 0;

	for (unsigned i = 0; i < s->gate->nplaces; i++) {
		uint8_t frame = s->gate->places[i].frame;

		key.place = place_of(prog, s->gate, frame);
		if (!err && frame != DT_FUNCTION_NONE)
			err = put_at_place(l, map, &key, s->cookie);
	}
	return err;
}

/* Each description that was looked for has a gate of its own at the same places. */
static bool is_attached(const struct load *l, int prog, const struct attach_site *s)
{
	vec_for (have, &l->gates)
		if (have->prog == prog && have->pid == s->pid && have->ret == s->gate->ret)
			return true;
	return false;
}

static int attach_gate(
	struct load *l, int prog, const struct load_prog *p, const struct attach_site *s)
{
	const struct attach_gate *g = s->gate;
	struct attach_site places[sizeof(g->places) / sizeof(g->places[0])];
	int err = put_known(l, s);

	for (unsigned i = 0; i < g->nplaces; i++)
		places[i] = (struct attach_site){
			.addr = g->places[i].addr,
			.semaphore = g->places[i].semaphore,
			.file = s->file,
			.pid = s->pid,
			.cookie = place_of(prog, g, g->places[i].frame),
		};
	l->slots[p - l->image.progs].places += g->nplaces;
	if (!err)
		err = load_attach_uprobes(l, prog, p, places, g->nplaces);
	if (!err)
		err = heapvec_push(&l->gates, (struct load_gate){prog, s->pid, g->ret, g->map});
	l->places += g->nplaces;
	return err;
}

int load_attach_functions(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < n; i++)
		err = sites[i].function ? put_function(l, prog, &sites[i]) : 0;
	for (uint32_t i = 0; !err && i < n; i++)
		if (!is_attached(l, prog, &sites[i]))
			err = attach_gate(l, prog, p, &sites[i]);
	INVARIANT(l->places >= n);
	l->places -= n; /* its gates count */
	return err;
}

/* ring_buffer_sample_fn */
static int on_new_function(void *arg, void *data, size_t size)
{
	struct load *l = arg;
	const uint32_t *tgid = data;

	if (size < sizeof(*tgid))
		return 0;
	vec_for (have, &l->new_functions)
		if (*have == (pid_t)*tgid)
			return 0;
	(void)heapvec_push(&l->new_functions, (pid_t)*tgid); /* no memory: the next one tells */
	return 0;
}

int load_functions_open(struct load *l)
{
	int map = load_map_fd(l, DT_MAP_NEW_FUNCTIONS);

	if (map < 0 || l->functions)
		return 0;
	l->functions = ring_buffer__new(map, on_new_function, l, NULL);
	return l->functions ? 0 : -errno;
}

int load_functions_fd(const struct load *l)
{
	return l->functions ? ring_buffer__epoll_fd(l->functions) : -1;
}

pid_t load_next_functions(struct load *l)
{
	if (!l->functions)
		return 0;
	ring_buffer__consume(l->functions);
	return l->new_functions.len ? l->new_functions.data[--l->new_functions.len] : 0;
}

uint64_t load_function_calls(const struct load *l)
{
	return l->function_calls;
}

void load_close_functions(struct load *l)
{
	ring_buffer__free(l->functions);
	l->functions = NULL;
	heapvec_free(&l->new_functions);
	heapvec_free(&l->gates);
}

void load_forget_functions(struct load *l, pid_t pid)
{
	int map = load_map_fd(l, DT_MAP_FUNCTIONS);
	struct dt_function key, next;
	uint32_t n = 0, tgid = (uint32_t)pid;

	vec_for (g, &l->gates) {
		if (g->pid != pid)
			l->gates.data[n++] = *g;
		else /* what programs know of the process: the first of its gates takes it */
			bpf_map_delete_elem(load_map_fd(l, g->map), &tgid);
	}
	if (n == l->gates.len)
		return;
	l->gates.len = n;
	/* the next key is asked for before this one goes: after it the list would begin anew */
	for (bool more = !bpf_map_get_next_key(map, NULL, &next); more;) {
		key = next;
		more = !bpf_map_get_next_key(map, &key, &next);
		if (key.tgid == tgid)
			bpf_map_delete_elem(map, &key);
	}
}

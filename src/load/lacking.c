// SPDX-License-Identifier: Apache-2.0
/*
 * Explains why a kernel older than those that DTrace is tested on refuses a program or a map: what
 * it lacks, and the first version of Linux that has it.
 */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "load/feature.h"
#include "load/internal.h"

/* Helpers that programs call, by number (bpf-helpers(7)), and when they came. */
static const struct {
	int number;
	const char *name, *since;
} helpers[] = {
	{BPF_FUNC_probe_read_user, "bpf_probe_read_user", "5.5"},
	{BPF_FUNC_probe_read_kernel, "bpf_probe_read_kernel", "5.5"},
	{BPF_FUNC_probe_read_user_str, "bpf_probe_read_user_str", "5.5"},
	{BPF_FUNC_probe_read_kernel_str, "bpf_probe_read_kernel_str", "5.5"},
	{BPF_FUNC_ringbuf_output, "bpf_ringbuf_output", "5.8"},
	{BPF_FUNC_ringbuf_reserve, "bpf_ringbuf_reserve", "5.8"},
	{BPF_FUNC_get_task_stack, "bpf_get_task_stack", "5.9"},
	{BPF_FUNC_copy_from_user, "bpf_copy_from_user", "5.10"},
	{BPF_FUNC_task_storage_get, "bpf_task_storage_get", "5.11"},
	{BPF_FUNC_get_current_task_btf, "bpf_get_current_task_btf", "5.11"},
	{BPF_FUNC_for_each_map_elem, "bpf_for_each_map_elem", "5.13"},
	{BPF_FUNC_get_attach_cookie, "bpf_get_attach_cookie", "5.15"},
	{BPF_FUNC_task_pt_regs, "bpf_task_pt_regs", "5.15"},
	{BPF_FUNC_find_vma, "bpf_find_vma", "5.17"},
	{BPF_FUNC_loop, "bpf_loop", "5.17"},
};

/* Complaints of verifiers about a helper that they do not know; its number follows. */
static const char *const unknown[] = {
	"invalid func ",
	"unknown func ",
	"cannot use helper ",
};

/* Of an instruction of BPF_ATOMIC that is no addition (check_ld_imm(), before 5.12). */
#define RESERVED "BPF_STX uses reserved fields"

/*
 * Of bpf_probe_read_kernel() and bpf_probe_read_kernel_str(), which lockdown takes away; libbpf has
 * put the older ones in their place.
 */
#define READS_KERNEL "cannot use helper bpf_probe_read"

static bool find_helper(const struct buf *log, char *why, size_t size)
{
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		const char *at = memmem(log->data, log->len, unknown[i], strlen(unknown[i]));
		const char *end = log->data + log->len;
		int number;

		at = at ? memchr(at, '#', (size_t)(end - at)) : NULL;
		number = at ? atoi(at + 1) : 0;
		for (size_t k = 0; at && k < sizeof(helpers) / sizeof(helpers[0]); k++) {
			if (helpers[k].number != number)
				continue;
			snprintf(why, size, "this kernel has no %s(), which Linux %s has",
				helpers[k].name, helpers[k].since);
			return true;
		}
	}
	return false;
}

bool load_lacks_for_program(const struct load *l, char *why, size_t size)
{
	const struct buf *log = &l->log;

	if (!l->preparing || log->failed || !log->len)
		return false;
	if (memmem(log->data, log->len, READS_KERNEL, strlen(READS_KERNEL)) &&
		load_is_confidential()) {
		snprintf(why, size,
			"kernel lockdown is 'confidentiality', which forbids reading kernel memory: boot with lockdown=integrity or lockdown=none");
		return true;
	}
	if (memmem(log->data, log->len, RESERVED, strlen(RESERVED))) {
		snprintf(why, size,
			"this kernel's BPF has no atomic operations that return a value, which Linux 5.12 has");
		return true;
	}
	return find_helper(log, why, size);
}

bool load_lacks_for_map(
	const struct load *l, int err, const char *complaint, char *why, size_t size)
{
	const struct bpf_map *map = NULL;

	bpf_object__for_each_map(map, l->obj)
	{
		if (!strstr(complaint, bpf_map__name(map)))
			continue;
		if (bpf_map__type(map) == BPF_MAP_TYPE_TASK_STORAGE) {
			snprintf(why, size, "this kernel has no variables of threads: it needs %s",
				feature_needs(FEATURE_TASK_STORAGE));
			return true;
		}
		if (err == -E2BIG && bpf_map__value_size(map) > 4u << 20) {
			snprintf(why, size,
				"this kernel makes no map with an element of %u bytes, as Linux 6.1 does",
				bpf_map__value_size(map));
			return true;
		}
	}
	return false;
}

// SPDX-License-Identifier: Apache-2.0
/*
 * Tries the features that only the compiler and the loader ask about, mostly of the kernel's
 * verifier (kernel/bpf/verifier.c): loads programs that it refuses if it lacks one.  None is run.
 */
#include "load/verifier_try.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "confine/privilege.h"
#include "load/feature_try.h"
#include "load/trial.h"
#include "types/types.h"

int verifier_trial_bpf(int cmd, void *attr, size_t size)
{
	long n = syscall(SYS_bpf, cmd, attr, size);

	return n < 0 ? -errno : (int)n;
}

int verifier_trial_close(int fd)
{
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int trial_load(struct feature_attempt *a, const struct trial_kind *k, const struct bpf_insn *insns,
	size_t n)
{
	union bpf_attr attr = {
		.prog_type = k->type,
		.expected_attach_type = k->attach_type,
		.attach_btf_id = k->btf_id,
		.prog_flags = k->flags,
		.insns = (uintptr_t)insns,
		.insn_cnt = (uint32_t)n,
		.license = (uintptr_t) "GPL",
	};

	a->what = "to load it";
	return verifier_trial_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
}

/* ---- memory ---- */

/* Makes a map of one element, with a key of 4 and a value of 8 bytes. */
static int make_map(struct feature_attempt *a, enum bpf_map_type type, uint32_t flags)
{
	union bpf_attr attr = {
		.map_type = type,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1,
		.map_flags = flags,
	};

	a->what = "to make a map";
	return verifier_trial_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
}

/*
 * A kernel that charges a map to RLIMIT_MEMLOCK refuses it with EPERM under a limit of 0, whatever
 * the capabilities.  The limit is put back before it matters to anybody else: nothing of ours locks
 * memory at the same time.
 */
int try_cgroup_memory(struct feature_attempt *a)
{
	struct rlimit was, none;
	int map;

	if (getrlimit(RLIMIT_MEMLOCK, &was))
		return -errno;
	none = (struct rlimit){.rlim_max = was.rlim_max};
	if (setrlimit(RLIMIT_MEMLOCK, &none))
		return -errno;
	map = make_map(a, BPF_MAP_TYPE_ARRAY, 0);
	(void)setrlimit(RLIMIT_MEMLOCK, &was);
	return verifier_trial_close(map);
}

/* Gives this thread a value of map MAP, of SIZE bytes. */
static int put_storage(int map, size_t size)
{
	int thread = (int)syscall(SYS_pidfd_open, getpid(), 0), err = 0;
	void *value = calloc(1, size);
	union bpf_attr attr = {
		.map_fd = (uint32_t)map,
		.key = (uintptr_t)&thread,
		.value = (uintptr_t)value,
	};

	if (value && thread >= 0)
		err = verifier_trial_bpf(BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
	free(value);
	if (thread >= 0)
		close(thread);
	return err;
}

/* Only the kernel's want of room counts: what it refuses otherwise it says when it is used. */
int try_large_storage(struct feature_attempt *a)
{
	enum { SIZE = 60000 };
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
	struct btf *types = btf__new_empty();
	int map, err = 0;

	a->what = "to make a value";
	if (libbpf_get_error(types))
		return 0;
	opts.btf_key_type_id = (uint32_t)btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	opts.btf_value_type_id = (uint32_t)btf__add_array(types, 1, 1, SIZE / 4);
	if (!btf__load_into_kernel(types)) {
		opts.btf_fd = (uint32_t)btf__fd(types);
		map = bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "trial", 4, SIZE, 0, &opts);
		err = map < 0 ? 0 : put_storage(map, SIZE);
		if (map >= 0)
			close(map);
	}
	btf__free(types);
	return err == -ENOMEM || err == -E2BIG ? err : 0;
}

static int look_up(void *map)
{
	uint32_t key = 0;
	uint64_t value;
	union bpf_attr attr = {
		.map_fd = *(const uint32_t *)map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	return verifier_trial_bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr));
}

/* Before, kernel.unprivileged_bpf_disabled was about each bpf(2), not only about what it makes. */
int try_unprivileged_maps(struct feature_attempt *a)
{
	int map = make_map(a, BPF_MAP_TYPE_ARRAY, 0), err;

	if (map < 0)
		return map;
	a->what = "to read a map";
	err = privilege_try_without(look_up, &map);
	close(map);
	return err;
}

/*
 * The verifier refuses programs of perf events alone; of others it warns in the kernel's log, as
 * their memory may be needed where the allocator's lock is held (check_map_prog_compatibility()).
 */
int try_growing_hashes(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_PERF_EVENT};
	int map = make_map(a, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC), err;

	if (map < 0)
		return map;
	const struct bpf_insn insns[] = {
		LOAD_MAP(BPF_REG_1, map),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};
	err = verifier_trial_close(trial_load(a, &k, insns, ARRAY_SIZE(insns)));
	close(map);
	return err == -EINVAL ? err : 0;
}

/* ---- code ---- */

static const struct trial_kind plain = {.type = BPF_PROG_TYPE_KPROBE};

/*
 * The instruction after the atomic one is refused with another error, so nothing is made and freed
 * again.  Only the refusal of the atomic one counts: without it slots are claimed in a way that is
 * safe on such kernels alone.
 */
int try_atomics(struct feature_attempt *a)
{
	const struct bpf_insn insns[] = {
		STORE(BPF_DW, -8, 0),
		MOV(BPF_REG_1, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_10, BPF_REG_1, -8, BPF_ADD | BPF_FETCH),
		MOV_REG(BPF_REG_0, BPF_REG_5),
		EXIT(),
	};
	int err = verifier_trial_close(trial_load(a, &plain, insns, ARRAY_SIZE(insns)));

	return err == -EINVAL ? err : 0;
}

/* A verifier that does not know the jump may go on behind it, where r5 has no value then. */
int try_long_jumps(struct feature_attempt *a)
{
	const struct bpf_insn insns[] = {
		CALL(BPF_FUNC_get_prandom_u32),
		INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 2, 0),
		MOV(BPF_REG_5, 1),
		INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0),
		INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, 1),
		MOV_REG(BPF_REG_0, BPF_REG_5),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};

	return verifier_trial_close(trial_load(a, &plain, insns, ARRAY_SIZE(insns)));
}

/* Loads a program of which two functions have frames of MAIN and CALLEE bytes. */
static int load_frames(struct feature_attempt *a, int main, int callee)
{
	const struct bpf_insn insns[] = {
		STORE(BPF_DW, -main, 0),
		INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1),
		EXIT(),
		STORE(BPF_DW, -callee, 0),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};

	return verifier_trial_close(trial_load(a, &plain, insns, ARRAY_SIZE(insns)));
}

/* 240 + 272 are 512; rounded to 32 bytes they are 32 more than there are. */
int try_frame_16(struct feature_attempt *a)
{
	return load_frames(a, 240, 272);
}

int try_private_stacks(struct feature_attempt *a)
{
	return load_frames(a, 400, 400);
}

/* Only a verifier's own refusal of HELPER counts: what is done without it is slower, or less. */
static int load_call(struct feature_attempt *a, int helper)
{
	const struct bpf_insn insns[] = {CALL(helper), MOV(BPF_REG_0, 0), EXIT()};
	int err = verifier_trial_close(trial_load(a, &plain, insns, ARRAY_SIZE(insns)));

	return err == -EINVAL ? err : 0;
}

int try_typed_task(struct feature_attempt *a)
{
	return load_call(a, BPF_FUNC_get_current_task_btf);
}

int try_cookies(struct feature_attempt *a)
{
	return load_call(a, BPF_FUNC_get_attach_cookie);
}

/* Loads a program of tracepoint NAME that may wait for memory. */
static int load_sleepable(struct feature_attempt *a, const char *name)
{
	const uint32_t hook = a->types ? types_tracepoint(a->types, name, NULL) : 0;
	const struct bpf_insn insns[] = {MOV(BPF_REG_0, 0), EXIT()};
	const struct trial_kind k = {
		.type = BPF_PROG_TYPE_TRACING,
		.attach_type = BPF_TRACE_RAW_TP,
		.btf_id = hook,
		.flags = BPF_F_SLEEPABLE,
	};

	return hook ? verifier_trial_close(trial_load(a, &k, insns, ARRAY_SIZE(insns))) : -ENOENT;
}

/*
 * A program can be preempted exactly at those tracepoints at which it may wait for memory.  Linux
 * 6.1 takes such a program at any, even at one under the scheduler's locks, and disables preemption
 * all the same.
 */
int try_syscalls_preempt(struct feature_attempt *a)
{
	int err = load_sleepable(a, "sys_enter");

	return err ? err : load_sleepable(a, "sched_switch") ? 0 : -EOPNOTSUPP;
}

/* ---- paths ---- */

#define BRANCHES 8
#define MANY	 400 /* instructions; all paths of a kind are 700 and more, pruned ones of both 250 */

/* How many instructions the verifier went through for program PROG; 0: the kernel does not say. */
static uint32_t verified(int prog)
{
	struct bpf_prog_info info = {0};
	union bpf_attr attr = {
		.info = {.bpf_fd = (uint32_t)prog,
			.info_len = sizeof(info),
			.info = (uintptr_t)&info},
	};

	return verifier_trial_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr))
		? 0
		: info.verified_insns;
}

/*
 * Branches from which numbers come that decide nothing: each adds another one to a register, or
 * leaves 0 or any other small number in a slot of the stack.  A verifier to which they matter
 * follows each combination to the end.
 */
int try_pruned_numbers(struct feature_attempt *a)
{
	struct bpf_insn insns[5 + 9 * BRANCHES + 4], *in = insns;
	uint32_t n;
	int prog;

	*in++ = CALL(BPF_FUNC_get_prandom_u32);
	*in++ = MOV_REG(BPF_REG_7, BPF_REG_0);
	*in++ = MOV(BPF_REG_6, 0);
	*in++ = INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 9 * BRANCHES + 2);
	for (int i = 0; i < BRANCHES; i++) {
		*in++ = INSN(BPF_JMP | BPF_JSET | BPF_K, BPF_REG_7, 0, 1, 1 << i);
		*in++ = ADD(BPF_REG_6, 1 << i);
	}
	for (int i = 0; i < BRANCHES; i++) {
		*in++ = MOV(BPF_REG_8, 0);
		*in++ = INSN(BPF_JMP | BPF_JSET | BPF_K, BPF_REG_7, 0, 2, 1 << (BRANCHES + i));
		*in++ = MOV_REG(BPF_REG_8, BPF_REG_7);
		*in++ = INSN(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_8, 0, 0, 255);
		*in++ = INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_8,
			(int16_t)(-8 - 8 * i), 0);
	}
	*in++ = MOV_REG(BPF_REG_0, BPF_REG_6);
	for (int i = 0; i < BRANCHES; i++) {
		*in++ = INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10,
			(int16_t)(-8 - 8 * i), 0);
		*in++ = INSN(BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_0, BPF_REG_1, 0, 0);
	}
	*in++ = EXIT();
	/* the function that programs without one do not have */
	*in++ = MOV(BPF_REG_0, 0);
	*in++ = EXIT();
	prog = trial_load(a, &plain, insns, (size_t)(in - insns));
	if (prog < 0)
		return prog;
	n = verified(prog);
	close(prog);
	return n && n < MANY ? 0 : -EOPNOTSUPP;
}

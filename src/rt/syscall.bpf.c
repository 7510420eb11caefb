// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Records the system call of the current thread: its number, its arguments from the registers that
 * the call has saved, its result, and the memory that the arguments point to.  dt_syscall_keep()
 * keeps memory that the call may change from entry to return.
 */
#include "abi/syscalls.h"
#include "arch/syscalls_table.h"
#include "arch/arch.bpf.h"
#include "rt/conf.h"
#include "rt/rt.h"

#define COUNTED	    4096 /* strings, or directory entries, are counted at most */
#define PLAIN_BYTES __builtin_offsetof(struct dt_syscall, cap)

#define CLONE_PARENT_SETTID 0x100000

/* Of each thread, its call as it was at entry. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, char[DT_SYSCALL_RECORD + DT_SYSCALL_PIECE]);
} dt_calls SEC(".maps");

struct call_ctx {
	struct dt_syscall *s;
	__u64 shown; /* bytes of a buffer */
	__u64 vector, limit;
	__u64 done;	/* captured already */
	__u64 from;	/* an array of strings, or directory entries */
	__u64 messages; /* an array of struct mmsghdr */
};

/*
 * Captures SIZE bytes at ADDR of the process, or a string of less; returns how many, 0 if they
 * cannot be read.  They are appended to bytes[], and aligned there.
 */
static inline ulong capture(
	struct dt_syscall *s, struct dt_capture *cap, ulong addr, ulong size, int string)
{
	long off = rt_bounded(s->used, DT_SYSCALL_BYTES), n;
	ulong room = DT_SYSCALL_BYTES - off;

	if (off < 0)
		return 0;
	if (size > room)
		size = room;
	if (size > DT_SYSCALL_PIECE)
		size = DT_SYSCALL_PIECE;
	n = rt_bounded(size, DT_SYSCALL_PIECE);
	if (n <= 0)
		return 0;
	if (string) {
		n = bpf_probe_read_user_str(s->bytes + off, (__u32)n, (void *)addr);
		/* Linux 6.12 does not count the NUL of an empty string */
		if (!n)
			n = 1;
	} else if (bpf_probe_read_user(s->bytes + off, (__u32)n, (void *)addr))
		n = 0;
	if (n <= 0)
		return 0;
	cap->off = (__u16)off;
	cap->len = (__u16)n;
	s->used = (__u16)((off + n + 7) & ~7);
	return n;
}

/* Returns the bytes to capture of argument I, 0 for none. */
static inline ulong size_of(const struct call_ctx *ctx, const struct dt_sysarg *kind, __u32 i)
{
	const struct dt_syscall *s = ctx->s;
	ulong next = s->arg[(i + 1) & 7 & (i + 1 < DT_SYSCALL_ARGS ? 7 : 0)], n;
	__u32 len = 0;

	switch (kind->how) {
	case SYSARG_STRING:
		return DT_SYSCALL_PIECE;
	case SYSARG_FIXED:
		return kind->size;
	case SYSARG_ARRAY:
		n = next > DT_SYSCALL_PIECE ? DT_SYSCALL_PIECE : next;
		return n * kind->size;
	case SYSARG_RESULTS:
		n = s->result > DT_SYSCALL_PIECE ? DT_SYSCALL_PIECE : s->result;
		return n * kind->size;
	case SYSARG_BUFFER:
		n = kind->when == SYSARG_OUT_ONLY ? (ulong)s->result : next;
		return n > ctx->shown ? ctx->shown : n;
	case SYSARG_SOCKET:
		n = next;
		if (kind->when == SYSARG_OUT_ONLY) {
			if (bpf_probe_read_user(&len, sizeof(len), (void *)next))
				return 0;
			n = len;
		}
		return n > 110 ? 110 : n;
	case SYSARG_MASK:
		n = kind->when == SYSARG_OUT_ONLY ? (ulong)s->result
						  : s->arg[(i - 1) & 7 & (i ? 7 : 0)];
		return n > 128 ? 128 : n;
	case SYSARG_SET:
		n = (s->arg[0] + 63) / 64 * 8;
		return n > 128 ? 128 : n;
	default:
		return 0;
	}
}

/* True if the memory of an argument of KIND is captured now. */
static inline int is_due(const struct dt_syscall *s, const struct dt_sysarg *kind)
{
	int returned = s->state == SYSCALL_RETURNS, done = returned && s->result >= 0;

	switch (kind->when) {
	case SYSARG_OUT_ONLY:
		return done;
	case SYSARG_BOTH:
		return !s->kept || done;
	case SYSARG_ANY:
		return returned;
	default:
		return !s->kept;
	}
}

/* struct msghdr: captures the address, the array of buffers and the control data. */
static inline void capture_message(struct call_ctx *ctx, const struct dt_capture *cap, int out)
{
	struct dt_syscall *s = ctx->s;
	long at = rt_bounded(cap->off, DT_SYSCALL_BYTES);
	struct {
		__u64 name, namelen, iov, iovlen, control, controllen;
	} m;

	if (at < 0 || cap->len < sizeof(m))
		return;
	__builtin_memcpy(&m, s->bytes + at, sizeof(m));
	m.namelen = (__u32)m.namelen;
	if (m.name)
		capture(s, &s->more[DT_SYSCALL_NAME], m.name, m.namelen > 110 ? 110 : m.namelen, 0);
	if (m.iovlen > DT_SYSCALL_VECTORS)
		m.iovlen = DT_SYSCALL_VECTORS;
	capture(s, &s->more[DT_SYSCALL_IOV], m.iov, m.iovlen * 16, 0);
	if (m.control)
		capture(s, &s->more[DT_SYSCALL_CONTROL], m.control, m.controllen, 0);
	ctx->vector = s->more[DT_SYSCALL_IOV].off | (__u64)s->more[DT_SYSCALL_IOV].len << 32;
	ctx->limit = out ? s->result : ~0ul;
}

/* Captures the string that the attributes of bpf(2) point to: a licence, a path or a name. */
static inline void capture_text(struct dt_syscall *s, const __u64 *word)
{
	enum { PROG_LOAD = 5, OBJ_PIN, OBJ_GET, RAW_TRACEPOINT_OPEN = 17 }; /* linux/bpf.h */
	__u32 command = (__u32)s->arg[0];
	__u64 from = 0;

	if (command == PROG_LOAD)
		from = word[2];
	else if (command == OBJ_PIN || command == OBJ_GET || command == RAW_TRACEPOINT_OPEN)
		from = word[0];
	if (from)
		capture(s, &s->more[DT_SYSCALL_NAME], from, DT_SYSCALL_PIECE / 2, 1);
}

/* Captures what the memory of argument I, of kind K, points to. */
static inline void capture_more(struct call_ctx *ctx, __u32 i, ulong k)
{
	struct dt_syscall *s = ctx->s;
	long at = rt_bounded(s->cap[i].off, DT_SYSCALL_BYTES);
	int done = s->state == SYSCALL_RETURNS && s->result >= 0;
	const __u64 *word;

	if (at < 0)
		return;
	word = (const __u64 *)(s->bytes + at);
	if (k == SYSARG_IOVEC || (k == SYSARG_IOVEC_OUT && done)) {
		ctx->vector = s->cap[i].off | (__u64)s->cap[i].len << 32;
		ctx->limit = k == SYSARG_IOVEC ? ~0ul : s->result;
	} else if (k == SYSARG_MSGHDR || (k == SYSARG_MSGHDR_OUT && done))
		capture_message(ctx, &s->cap[i], k == SYSARG_MSGHDR_OUT);
	else if (k == SYSARG_MMSG || k == SYSARG_MMSG_OUT)
		ctx->messages = s->cap[i].off | (__u64)s->cap[i].len << 32;
	else if (k == SYSARG_BPF)
		capture_text(s, word);
	else if (k == SYSARG_SIGSET_PAIR)
		capture(s, &s->more[DT_SYSCALL_NAME], word[0], word[0] ? 8 : 0, 0);
	else if (k == SYSARG_CLONE && done && word[0] & CLONE_PARENT_SETTID)
		capture(s, &s->more[DT_SYSCALL_PARENT_TID], word[3], 4, 0);
}

static long capture_arg(__u32 i, struct call_ctx *ctx)
{
	struct dt_syscall *s = ctx->s;
	const struct dt_sysarg *kind;
	ulong nr = s->number, k, size;

	if (i >= DT_SYSCALL_ARGS || nr >= DT_SYSCALLS)
		return 1;
	k = DT_SYSARG_KIND(dt_syscalls.arg[nr][i]);
	if (!k || k >= SYSARG_MAX)
		return 1;
	kind = &dt_syscalls.kind[k];
	RT_FORGET(i);
	i &= 7;
	if (!kind->how || !s->arg[i] || !is_due(s, kind))
		return 0;
	size = size_of(ctx, kind, i);
	if (size && capture(s, &s->cap[i], s->arg[i], size, kind->how == SYSARG_STRING))
		capture_more(ctx, i, k);
	return 0;
}

/* The buffers of an array of struct iovec that was captured. */
static long capture_vector(__u32 i, struct call_ctx *ctx)
{
	ulong off = (__u32)ctx->vector + (ulong)i * 16, left = ctx->limit - ctx->done, size;
	struct dt_syscall *s = ctx->s;
	long at = rt_bounded(off, DT_SYSCALL_BYTES);
	const __u64 *iov;

	if (at < 0 || i >= DT_SYSCALL_VECTORS || (i + 1) * 16 > ctx->vector >> 32)
		return 1;
	iov = (const __u64 *)(s->bytes + at);
	RT_FORGET(i);
	i &= DT_SYSCALL_VECTORS - 1;
	size = iov[1] < left ? iov[1] : left;
	ctx->done += size;
	if (size > ctx->shown)
		size = ctx->shown;
	if (size)
		capture(s, &s->vector[i], iov[0], size, 0);
	return 0;
}

/*
 * The arrays of struct iovec of some messages, one after the other without gaps, and the address of
 * the first message.  How many there are is kept in S: what a loop counts on the stack is a
 * constant to Linux 6.1, which looks at the callback once.
 */
static long capture_one_message(__u32 i, struct call_ctx *ctx)
{
	ulong off = (__u32)ctx->messages + (ulong)i * 64, n;
	struct dt_syscall *s = ctx->s;
	struct dt_capture *all = &s->more[DT_SYSCALL_IOV];
	long at = rt_bounded(off, DT_SYSCALL_BYTES);
	struct dt_capture one = {0};
	const __u64 *m;

	if (at < 0 || (i + 1) * 64 > ctx->messages >> 32 || all->len >= DT_SYSCALL_VECTORS * 16)
		return 1;
	m = (const __u64 *)(s->bytes + at);
	if (!i && m[0]) {
		n = (__u32)m[1];
		capture(s, &s->more[DT_SYSCALL_NAME], m[0], n > 110 ? 110 : n, 0);
	}
	n = DT_SYSCALL_VECTORS - all->len / 16;
	if (m[3] < n)
		n = m[3];
	if (!n)
		return 0;
	if (!capture(s, &one, m[2], n * 16, 0) || one.len != n * 16)
		return 1;
	if (!all->len)
		all->off = one.off;
	all->len += (__u16)(n * 16);
	return 0;
}

static inline void capture_messages(struct call_ctx *ctx)
{
	const struct dt_capture *all = &ctx->s->more[DT_SYSCALL_IOV];

	bpf_loop(DT_SYSCALL_VECTORS, capture_one_message, ctx, 0);
	ctx->vector = all->off | (__u64)all->len << 32;
	ctx->limit = ~0ul;
}

/* The strings of an array, one after the other, without gaps. */
static long capture_one_string(__u32 i, struct call_ctx *ctx)
{
	struct dt_syscall *s = ctx->s;
	struct dt_capture one = {0};
	ulong begin = s->used, n;
	__u64 addr;

	if (bpf_probe_read_user(&addr, sizeof(addr), (void *)(ctx->from + 8ul * i)))
		return 1;
	s->cut = !!addr;
	if (!addr)
		return 1;
	/* one byte more tells that there is more */
	n = capture(s, &one, addr, ctx->shown + 2, 1);
	if (!n)
		return 1;
	s->used = (__u16)(begin + n);
	return 0;
}

static inline void capture_strings(struct call_ctx *ctx, struct dt_capture *all, ulong from)
{
	struct dt_syscall *s = ctx->s;
	ulong begin = s->used;

	ctx->from = from;
	bpf_loop(DT_SYSCALL_STRINGS, capture_one_string, ctx, 0);
	all->off = (__u16)begin;
	all->len = (__u16)(s->used - begin);
	s->used = (__u16)((s->used + 7) & ~7);
}

/* Counts the strings of an array. */
static long count_string(__u32 i, struct call_ctx *ctx)
{
	__u64 addr;

	if (bpf_probe_read_user(&addr, sizeof(addr), (void *)(ctx->from + 8ul * i)) || !addr)
		return 1;
	ctx->s->count++;
	return 0;
}

/* Where count_entry() is: behind what can be captured, so that it is map memory. */
#define ENTRY_AT(s) (*(__u64 *)((s)->bytes + DT_SYSCALL_BYTES))

/* Counts directory entries. */
static long count_entry(__u32 i, struct call_ctx *ctx)
{
	struct dt_syscall *s = ctx->s;
	__u64 at = ENTRY_AT(s);
	__u16 len;

	/* d_reclen of struct linux_dirent64, linux/dirent.h */
	if (at >= (ulong)s->result ||
		bpf_probe_read_user(&len, sizeof(len), (void *)(ctx->from + at + 16)) || !len)
		return 1;
	ENTRY_AT(s) = at + len;
	s->count++;
	return 0;
}

#define SYS_KREAD(var, base, field)               \
	(dt_conf.at.field == DT_OFFSET_UNKNOWN || \
		bpf_probe_read_kernel(&(var), sizeof(var), (void *)((base) + dt_conf.at.field)))

/* After execve(2) the registers are those of the new image, which has path and arguments. */
static inline void capture_image(struct dt_syscall *s, __u64 mm)
{
	__u64 start, end, path;

	if (SYS_KREAD(start, mm, mm_arg_start) || SYS_KREAD(end, mm, mm_arg_end) ||
		SYS_KREAD(path, mm, mm_env_end))
		return;
	capture(s, &s->cap[0], path, DT_SYSCALL_PIECE, 1);
	if (end > start)
		capture(s, &s->cap[1], start, end - start, 0);
}

/* The arguments that are arrays of unknown length, for which capture_arg() is no place. */
static inline void capture_arrays(struct call_ctx *ctx)
{
	struct dt_syscall *s = ctx->s;
	ulong nr = s->number & (DT_SYSCALLS - 1);
	int at = nr == CALL_EXECVEAT;

	if (nr == CALL_EXECVE || nr == CALL_EXECVEAT) {
		if (s->kept)
			return;
		capture_strings(ctx, &s->cap[1 + at], s->arg[1 + at]);
		ctx->from = s->arg[2 + at];
		bpf_loop(COUNTED, count_string, ctx, 0);
	} else if (DT_SYSARG_KIND(dt_syscalls.arg[nr][1]) == SYSARG_DIRENTS &&
		s->state == SYSCALL_RETURNS && s->result > 0) {
		ctx->from = s->arg[1];
		ENTRY_AT(s) = 0;
		bpf_loop(COUNTED, count_entry, ctx, 0);
	}
}

static inline ulong used_bytes(const struct dt_syscall *s)
{
	return (sizeof(*s) + s->used) & (DT_SYSCALL_RECORD - 1);
}

/* Captures all memory of the call in S. */
static inline void capture_memory(struct dt_syscall *s, ulong shown)
{
	struct call_ctx ctx = {.s = s, .shown = shown};

	bpf_loop(DT_SYSCALL_ARGS, capture_arg, &ctx, 0);
	if (ctx.messages)
		capture_messages(&ctx);
	if (ctx.vector)
		bpf_loop(DT_SYSCALL_VECTORS, capture_vector, &ctx, 0);
	capture_arrays(&ctx);
}

/* Fills in the part of S that is always there. */
static inline void begin_call(struct dt_syscall *s, const struct pt_regs *regs, ulong returns)
{
	ARCH_CALL_ARGS_OF(s->arg, regs);
	s->result = returns ? (__s64)ARCH_CALL_RESULT_OF(regs) : 0;
	s->number = (__u32)ARCH_CALL_NUMBER_OF(regs);
	s->state = returns ? SYSCALL_RETURNS : SYSCALL_INSIDE;
	s->used = 0;
	s->count = 0;
	s->kept = s->cut = s->pad = 0;
	s->plain = 1;
}

/* Makes room in S for what is captured. */
static inline void begin_memory(struct dt_syscall *s)
{
	s->plain = 0;
	__builtin_memset(s->cap, 0, sizeof(*s) - __builtin_offsetof(struct dt_syscall, cap));
}

/*
 * rt_sigreturn(2) has no arguments, and no return that a probe sees: the signal mask and the
 * result are those of the frame that the signal's delivery left (struct rt_sigframe,
 * asm/sigframe.h).
 */
static inline void capture_frame(struct dt_syscall *s, const struct pt_regs *regs)
{
	if (bpf_probe_read_user(&s->result, 8, (void *)(regs->sp + SIGNAL_RESULT)))
		return;
	s->arg[0] = regs->sp + SIGNAL_MASK;
	s->state = SYSCALL_RETURNS;
	capture(s, &s->cap[0], s->arg[0], 8, 0);
}

/* Takes over what keepsys() kept when the call began. */
static inline void take_kept(struct dt_syscall *s, struct task_struct *task)
{
	struct dt_syscall *k = bpf_task_storage_get(&dt_calls, task, 0, 0);
	long n;

	if (!k || k->state != SYSCALL_INSIDE || k->number != s->number)
		return;
	k->state = SYSCALL_NOT;
	n = rt_bounded(k->used, DT_SYSCALL_BYTES);
	if (n < 0 || bpf_probe_read_kernel(s->bytes, (__u32)n, k->bytes))
		return;
	s->used = (__u16)n;
	s->count = k->count;
	s->cut = k->cut;
	s->kept = 1;
	/* execve(2) leaves no arguments in the registers */
	__builtin_memcpy(s->arg, k->arg, sizeof(s->arg));
	__builtin_memcpy(s->given, k->cap, sizeof(s->given));
	__builtin_memcpy(s->more, k->more, sizeof(s->more));
}

ulong dt_syscall_keep(ulong shown)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct dt_syscall *s;
	ulong nr = ARCH_CALL_NUMBER_OF(regs);

	if (nr >= DT_SYSCALLS || !(dt_syscalls.any[nr] & DT_SYSARG_CHANGED))
		return 0;
	s = bpf_task_storage_get(&dt_calls, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!s)
		return 0;
	begin_call(s, regs, 0);
	begin_memory(s);
	capture_memory(s, shown);
	return 0;
}

ulong dt_syscall(ulong slot, ulong dst, ulong returns, ulong shown)
{
	ulong size = dt_conf.scratch_size, nr;
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct dt_syscall *s;
	struct rt_mem mem;
	__u64 mm = 0;

	if (size < DT_SYSCALL_ROOM || !rt_open(&mem, slot))
		return 0;
	s = (struct dt_syscall *)rt_at(&mem, dst, size - DT_SYSCALL_ROOM);
	if (!s)
		return 0;
	begin_call(s, regs, returns);
	nr = s->number;
	if (nr >= DT_SYSCALLS ||
		/* a kernel thread has zeros for registers */
		(!nr && (SYS_KREAD(mm, (__u64)task, task_mm) || !mm))) {
		s->state = SYSCALL_NOT;
		return PLAIN_BYTES;
	}
	if (!(dt_syscalls.any[nr] & DT_SYSARG_MEMORY))
		return PLAIN_BYTES;
	begin_memory(s);
	if (nr == CALL_RT_SIGRETURN) {
		capture_frame(s, regs);
		return used_bytes(s);
	}
	if (returns && dt_syscalls.any[nr] & DT_SYSARG_CHANGED)
		take_kept(s, task);
	if ((nr == CALL_EXECVE || nr == CALL_EXECVEAT) && returns && !s->result) {
		s->state = SYSCALL_EXECUTED;
		if (!s->kept && !SYS_KREAD(mm, (__u64)task, task_mm))
			capture_image(s, mm);
		return used_bytes(s);
	}
	capture_memory(s, shown);
	return used_bytes(s);
}

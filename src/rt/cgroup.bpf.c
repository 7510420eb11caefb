// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Finds a task's place in the tree of control groups, version 2, mounted or not
 * (Documentation/admin-guide/cgroup-v2.rst), and the container whose cgroup is on the way to the
 * root.  As path.bpf.c: from the leaf up, nothing is locked.
 */
#include "rt/rt.h"
#include "rt/text.h"

/* ---- the filter ---- */

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, 1);
} dt_cgroups SEC(".maps");

ulong dt_in_cgroup(void)
{
	return bpf_current_task_under_cgroup(&dt_cgroups, 0) == 1;
}

/* ---- the tree ---- */

/* Returns the directory (struct kernfs_node) of TASK's cgroup; 0 when there is none. */
static inline __u64 node_of(__u64 task)
{
	__u64 at;

	if (KREAD(at, task, task_cgroups) || KREAD(at, at, css_set_cgroup) ||
		KREAD(at, at, cgroup_node))
		return 0;
	return at;
}

/* The member was renamed in Linux 6.15. */
#define NODE_PARENT(var, node) (KREAD(var, node, node_parent) && KREAD(var, node, node_parent_old))

#define MAX_DEPTH 64

ulong dt_task_in_cgroup(ulong task, ulong cgroup)
{
	__u64 node = node_of(task), id;

	for (int i = 0; node && i < MAX_DEPTH; i++) {
		if (KREAD(id, node, node_id))
			return 0;
		if (id == cgroup)
			return 1;
		if (NODE_PARENT(node, node))
			return 0;
	}
	return 0;
}

/* ---- dt_cgroup() ---- */

static long node_up(__u32 i, struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;

	if (!NODE_PARENT(w->parent, w->dentry) && !w->parent)
		return 1; /* the root */
	if (KREAD(w->components[w->n % MAX_COMPONENTS], w->dentry, node_name)) {
		w->wrong = 1;
		return 1;
	}
	w->n++;
	w->dentry = w->parent;
	return 0;
}

/* The string at DST and the DT_PATH_ROOM bytes at TMP, or NULL. */
static inline void *open_room(struct rt_mem *mem, ulong slot, ulong dst, ulong tmp, char **to)
{
	if (!rt_open(mem, slot) || dt_conf.scratch_size < DT_PATH_ROOM)
		return NULL;
	*to = rt_string(mem, dst);
	RT_FORGET(tmp);
	if (!*to || tmp > dt_conf.scratch_size - DT_PATH_ROOM)
		return NULL;
	return mem->slot + tmp;
}

ulong dt_cgroup(ulong slot, ulong dst, ulong tmp, ulong task)
{
	struct walk_ctx ctx;
	struct rt_mem mem;
	struct walk *w = open_room(&mem, slot, dst, tmp, &ctx.to);

	if (!w)
		return 0;
	ctx.w = w;
	ctx.to[0] = '\0';
	w->n = w->len = w->wrong = 0;
	w->dentry = node_of(task);
	if (!w->dentry)
		return 0;
	bpf_loop(MAX_STEPS, node_up, &ctx, 0);
	if (!w->n)
		APPEND(&ctx, "/");
	bpf_loop(w->n < MAX_COMPONENTS ? (__u32)w->n : MAX_COMPONENTS, step_down, &ctx, 0);
	return w->wrong ? 0 : w->len;
}

/* ---- dt_container() ---- */

/*
 * The names that container runtimes give to their cgroups; the id follows.  Before hexadecimal
 * digits: with the systemd driver, mostly with ".scope" after them.
 */
#define ID_NAMES(X)   \
	X("docker-")  \
	X("libpod-")  \
	X("crio-")    \
	X("nerdctl-") \
	X("cri-containerd-")

/* Before a name. */
#define NAME_NAMES(X) X("lxc.payload.")

/* Folders of containers' cgroups that have their names. */
#define NAME_FOLDERS(X) \
	X("lxc")        \
	X("lxc.payload")

#define ID_LEN	 64 /* of an id that is all of a name: the cgroupfs driver, Kubernetes' pods */
#define ID_SHOWN 12

struct holder {
	__u64 node, parent;
	__u64 at;	 /* address of the name */
	__u64 id;	 /* where in it the id begins */
	__u64 found;	 /* 1 an id, 2 a name */
	__u64 folder[2]; /* the name of the parent */
	__u64 digits[ID_LEN / 8];
	__u64 word;
	__u64 name[33]; /* NAME_MAX and more */
};

_Static_assert(sizeof(struct holder) <= DT_PATH_ROOM, "room in a slot");

struct holder_ctx {
	struct holder *f;
};

/* All bits of those of the 8 bytes from I on that TEXT has; with its NUL when WHOLE. */
#define FILLED(text, i, whole) ((i) < sizeof(text) - !(whole) ? 0xffull << (i) % 8 * 8 : 0)
#define FILL(text, i, whole)                                                                    \
	(FILLED(text, i, whole) | FILLED(text, (i) + 1, whole) | FILLED(text, (i) + 2, whole) | \
		FILLED(text, (i) + 3, whole) | FILLED(text, (i) + 4, whole) |                   \
		FILLED(text, (i) + 5, whole) | FILLED(text, (i) + 6, whole) |                   \
		FILLED(text, (i) + 7, whole))

/* True if the two WORDS begin with TEXT (are it, when WHOLE), of at most 15 characters. */
#define BEGINS(words, text, whole)                                  \
	(!(((words)[0] ^ CHARS(text, 0)) & FILL(text, 0, whole)) && \
		!(((words)[1] ^ CHARS(text, 8)) & FILL(text, 8, whole)))

/* The high bits of those bytes of WORD that are LOW..HIGH; none has its own high bit set. */
#define IN_RANGE(word, low, high) \
	(((word) + (0x80 - (low)) * LOW_BITS) & ~((word) + (0x7f - (high)) * LOW_BITS) & HIGH_BITS)

/* True if those bytes of WORD whose high bits are in WHICH are hexadecimal digits. */
static inline int is_hex(__u64 word, __u64 which)
{
	if (word & which)
		return 0;
	word &= ~HIGH_BITS;
	return ((IN_RANGE(word, '0', '9') | IN_RANGE(word, 'a', 'f')) & which) == which;
}

/* True if COUNT digits, 12 or 64, are at offset ID of the name. */
static inline int has_digits(struct holder *f, __u64 id, int all)
{
	f->id = id;
	if (bpf_probe_read_kernel(f->digits, all ? ID_LEN : 16, (void *)(f->at + id)) ||
		!is_hex(f->digits[0], HIGH_BITS) ||
		!is_hex(f->digits[1], all ? HIGH_BITS : HIGH_BITS & 0xffffffff))
		return 0;
	for (int i = 2; all && i < ID_LEN / 8; i++)
		if (!is_hex(f->digits[i], HIGH_BITS))
			return 0;
	return 1;
}

/* True if the name, of LEN characters, is a container's; f->id is where it begins in it. */
static inline int is_container(struct holder *f, __u64 len)
{
	char before;

#define X(text)                       \
	if (BEGINS(f->name, text, 0)) \
		return has_digits(f, sizeof(text) - 1, 0);
	ID_NAMES(X)
#undef X
#define X(text)                             \
	if (BEGINS(f->name, text, 0)) {     \
		f->id = sizeof(text) - 1;   \
		return len > f->id ? 2 : 0; \
	}
	NAME_NAMES(X)
#undef X
	f->id = 0;
#define X(text)                         \
	if (BEGINS(f->folder, text, 1)) \
		return 2;
	NAME_FOLDERS(X)
#undef X
	if (len < ID_LEN || !has_digits(f, len - ID_LEN, 1))
		return 0;
	/* all of it, or as containerd writes it without a driver: "SLICE:cri-containerd:ID" */
	return len == ID_LEN ||
		(!bpf_probe_read_kernel(&before, 1, (void *)(f->at + len - ID_LEN - 1)) &&
			before == ':');
}

static long find_up(__u32 i, struct holder_ctx *ctx)
{
	struct holder *f = ctx->f;
	long n;

	if (NODE_PARENT(f->parent, f->node) || !f->parent || KREAD(f->at, f->node, node_name))
		return 1;
	n = bpf_probe_read_kernel_str(f->name, sizeof(f->name), (void *)f->at);
	f->folder[0] = f->folder[1] = 0;
	if (n <= 1 || KREAD(f->word, f->parent, node_name) ||
		bpf_probe_read_kernel_str(f->folder, sizeof(f->folder), (void *)f->word) < 0)
		return 1;
	f->found = (__u64)is_container(f, (__u64)n - 1);
	f->node = f->parent;
	return f->found != 0;
}

ulong dt_container(ulong slot, ulong dst, ulong tmp, ulong task)
{
	struct holder_ctx ctx;
	struct rt_mem mem;
	char *to;
	struct holder *f = open_room(&mem, slot, dst, tmp, &to);
	ulong room;

	if (!f)
		return 0;
	ctx.f = f;
	to[0] = '\0';
	f->found = 0;
	f->node = node_of(task);
	if (!f->node)
		return 0;
	bpf_loop(MAX_COMPONENTS, find_up, &ctx, 0);
	if (!f->found)
		return 0;
	room = mem.strsize + 1;
	if (f->found == 1 && room > ID_SHOWN + 1)
		room = ID_SHOWN + 1;
	return str_copy(to, room, (char *)(f->at + f->id));
}

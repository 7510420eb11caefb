// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Builds the pathname of a struct path, as the kernel's own d_path() gives it to the current
 * process (Documentation/filesystems/path-lookup.rst; /proc/PID/fd shows the same).  From the leaf
 * up the tree of directories and of mounts, then from the top down into the string, so that a long
 * path loses its end.  Nothing is locked: what moves meanwhile can give a path that never was.
 */
#include "rt/rt.h"

#include <linux/magic.h>

#ifndef PID_FS_MAGIC
#define PID_FS_MAGIC 0x50494446
#endif

#define MAX_STEPS      4096 /* of components and mounts: PATH_MAX */
#define MAX_COMPONENTS 128  /* those nearest the root, when there are more; a power of two */

/* Everything is here, and not on the stack, because of how bpf_loop() is verified; see rt.h. */
struct walk {
	__u64 dentry, mnt; /* struct mount */
	__u64 root_dentry, root_mnt;
	__u64 parent, mnt_root;
	__u64 word;			  /* what was read last */
	__u64 n;			  /* components seen */
	__u64 len;			  /* of the string */
	__u64 wrong;			  /* something could not be read */
	__u64 list;			  /* head of a superblock's mounts */
	__u64 components[MAX_COMPONENTS]; /* names, number N at N % MAX_COMPONENTS */
};

_Static_assert(sizeof(struct walk) <= DT_PATH_ROOM, "room in a slot");

struct walk_ctx {
	struct walk *w;
	char *to;
};

/* ---- up ---- */

static inline int read_mount_root(struct walk *w)
{
	w->mnt_root = 0;
	return w->mnt && KREAD(w->mnt_root, w->mnt + dt_conf.at.mount_mnt, vfsmount_root);
}

/* One step: over the root of a mount to where it is mounted, or a component. */
static long step_up(__u32 i, struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;

	if (w->dentry == w->root_dentry && w->mnt == w->root_mnt)
		return 1;
	if (read_mount_root(w) || KREAD(w->parent, w->dentry, dentry_parent))
		goto wrong;
	if (w->dentry == w->mnt_root) {
		if (KREAD(w->word, w->mnt, mount_parent))
			goto wrong;
		if (w->word == w->mnt)
			return 1;
		if (KREAD(w->dentry, w->mnt, mount_mountpoint))
			goto wrong;
		w->mnt = w->word;
		return 0;
	}
	if (w->parent == w->dentry)
		return 1;
	if (KREAD(w->components[w->n % MAX_COMPONENTS], w->dentry, dentry_name))
		goto wrong;
	w->n++;
	w->dentry = w->parent;
	return 0;
wrong:
	w->wrong = 1;
	return 1;
}

/* ---- where a file system is mounted ---- */

/* The mount after w->parent in the list of its superblock, or NULL; non-zero: no such list. */
static inline int next_mount(struct walk *w)
{
	__u64 next;

	if (dt_conf.at.mount_instance == DT_OFFSET_UNKNOWN) /* since 6.17 */
		return KREAD(w->parent, w->parent, mount_next);
	if (KREAD(next, w->parent, mount_instance))
		return 1;
	w->parent = next == w->list ? 0 : next - dt_conf.at.mount_instance;
	return 0;
}

/* Looks for the oldest of all mounts of the file system; new ones come first since 6.17. */
static long look_at_mount(__u32 i, struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;

	if (!w->parent || KREAD(w->mnt_root, w->parent + dt_conf.at.mount_mnt, vfsmount_root))
		return 1;
	if (w->mnt_root == w->word || !w->mnt)
		w->mnt = w->parent;
	if (w->mnt_root == w->word && dt_conf.at.mount_instance != DT_OFFSET_UNKNOWN)
		return 1;
	return next_mount(w);
}

/* Finds w->mnt, a mount of w->dentry's file system; NULL if it is mounted nowhere. */
static inline int find_mount(struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;
	__u64 sb;

	w->mnt = 0;
	if (KREAD(sb, w->dentry, dentry_sb) || KREAD(w->word, sb, sb_root) ||
		KREAD(w->parent, sb, sb_mounts))
		return 1;
	w->list = sb + dt_conf.at.sb_mounts;
	if (w->parent == w->list)
		return 0;
	if (dt_conf.at.mount_instance != DT_OFFSET_UNKNOWN)
		w->parent -= dt_conf.at.mount_instance;
	bpf_loop(MAX_STEPS, look_at_mount, ctx, 0);
	return 0;
}

/* ---- down, into the string ---- */

/* Append the string at kernel address FROM, truncated. */
static inline long append(const struct walk_ctx *ctx, const void *from)
{
	__u64 len = ctx->w->len, strsize = dt_conf.strsize;
	long n;

	RT_FORGET(len);
	if (len >= strsize)
		return 0;
	n = bpf_probe_read_kernel_str(ctx->to + len, (__u32)(strsize - len + 1), from);
	if (n <= 0)
		return 1;
	ctx->w->len = len + (__u64)n - 1;
	return 0;
}

static long step_down(__u32 i, struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;
	__u64 len = w->len;

	RT_FORGET(len);
	if (len >= dt_conf.strsize)
		return 1;
	ctx->to[len] = '/';
	w->len = len + 1;
	if (!append(ctx, (void *)w->components[(w->n - 1 - i) % MAX_COMPONENTS]))
		return 0;
	w->wrong = 1;
	return 1;
}

/*
 * Append the literal TEXT, at most 15 characters.  As two numbers: anything else becomes a map of
 * constants.
 */
#define CHAR(text, i)                                                                    \
	((i) < sizeof(text) ? (__u64)(unsigned char)(text)[(i) < sizeof(text) ? (i) : 0] \
				<< (i) % 8 * 8                                           \
			    : 0)
#define CHARS(text, i)                                                                     \
	(CHAR(text, i) | CHAR(text, (i) + 1) | CHAR(text, (i) + 2) | CHAR(text, (i) + 3) | \
		CHAR(text, (i) + 4) | CHAR(text, (i) + 5) | CHAR(text, (i) + 6) |          \
		CHAR(text, (i) + 7))
#define APPEND(ctx, text) append_words(ctx, CHARS(text, 0), CHARS(text, 8))

static inline void append_words(const struct walk_ctx *ctx, __u64 first, __u64 second)
{
	__u64 words[2] = {first, second};

	append(ctx, words);
}

/* "[12345]" */
static inline void append_number(const struct walk_ctx *ctx, __u64 n)
{
	char digits[24];
	int at = 21;

	digits[22] = '\0';
	digits[21] = ']';
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n && at > 1);
	digits[--at] = '[';
	append(ctx, digits + at);
}

/* ---- what is named otherwise ---- */

static inline int append_name(const struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;

	return KREAD(w->word, w->dentry, dentry_name) || append(ctx, (void *)w->word);
}

/* "mnt" of a namespace's inode at w->word */
static inline int append_namespace(const struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;

	return KREAD(w->parent, w->word, inode_private) || KREAD(w->parent, w->parent, ns_ops) ||
		KREAD(w->parent, w->parent, ns_ops_name) || append(ctx, (void *)w->parent);
}

/* Files of internal file systems, whose dentries have a d_dname(): 0, or something is wrong. */
static inline int name_internal(const struct walk_ctx *ctx)
{
	struct walk *w = ctx->w;
	__u64 magic;

	if (KREAD(magic, w->word, sb_magic) || KREAD(w->word, w->dentry, dentry_inode))
		return 1;
	switch (magic) {
	case PIPEFS_MAGIC:
		APPEND(ctx, "pipe:");
		break;
	case SOCKFS_MAGIC:
		APPEND(ctx, "socket:");
		break;
	case NSFS_MAGIC:
		if (append_namespace(ctx))
			return 1;
		APPEND(ctx, ":");
		break;
	case PID_FS_MAGIC:
		APPEND(ctx, "anon_inode:");
		APPEND(ctx, "[pidfd]");
		return 0;
	case ANON_INODE_FS_MAGIC:
		APPEND(ctx, "anon_inode:");
		return append_name(ctx);
	default: /* shared memory and the like */
		APPEND(ctx, "/");
		if (append_name(ctx))
			return 1;
		APPEND(ctx, " (deleted)");
		return 0;
	}
	if (KREAD(magic, w->word, inode_ino))
		return 1;
	append_number(ctx, magic);
	return 0;
}

/* ---- dt_d_path() ---- */

/* Begins the walk at a struct path; 0 if PATH is no valid address. */
static inline int begin_at_path(struct walk *w, __u64 path)
{
	if (KREAD(w->dentry, path, path_dentry) || KREAD(w->mnt, path, path_mnt) || !w->dentry ||
		!w->mnt)
		return 1;
	w->mnt -= dt_conf.at.mount_mnt;
	return 0;
}

/*
 * Ends the walk at the current process's root; an exiting process has none, so the walk goes all
 * the way up.
 */
static inline int end_at_root(struct walk *w)
{
	__u64 task = bpf_get_current_task(), fs = 0;

	if (KREAD(fs, task, task_fs))
		return 1;
	if (!fs)
		return 0;
	fs += dt_conf.at.fs_root;
	if (KREAD(w->root_dentry, fs, path_dentry) || KREAD(w->root_mnt, fs, path_mnt))
		return 1;
	w->root_mnt -= dt_conf.at.mount_mnt;
	return 0;
}

static inline int begin(struct walk_ctx *ctx, __u64 path, __u64 dentry)
{
	struct walk *w = ctx->w;

	w->n = w->len = w->wrong = 0;
	w->root_dentry = w->root_mnt = 0;
	if (dt_conf.at.mount_mnt == DT_OFFSET_UNKNOWN)
		return 1;
	if (!dentry)
		return begin_at_path(w, path) || end_at_root(w);
	w->dentry = dentry;
	w->mnt = path - dt_conf.at.mount_mnt;
	return path ? 0 : find_mount(ctx);
}

/* True if the file names itself: its operations have d_dname(), and it is no mount's root. */
static inline int is_internal(struct walk *w)
{
	if (KREAD(w->word, w->dentry, dentry_op) || !w->word ||
		KREAD(w->word, w->word, dop_dname) || !w->word)
		return 0;
	return w->parent != w->dentry || w->dentry != w->mnt_root;
}

ulong dt_d_path(ulong slot, ulong dst, ulong path, ulong dentry, ulong tmp)
{
	struct walk_ctx ctx;
	struct rt_mem mem;
	struct walk *w;
	__u64 pprev;

	if (!rt_open(&mem, slot) || dt_conf.scratch_size < DT_PATH_ROOM)
		return 0;
	ctx.to = rt_string(&mem, dst);
	RT_FORGET(tmp);
	if (!ctx.to || tmp > dt_conf.scratch_size - DT_PATH_ROOM)
		return 0;
	ctx.w = w = (struct walk *)(mem.slot + tmp);
	if (begin(&ctx, path, dentry) || KREAD(w->parent, w->dentry, dentry_parent) ||
		read_mount_root(w) || KREAD(pprev, w->dentry, dentry_pprev))
		return ~0ul;
	if (is_internal(w)) {
		if (KREAD(w->word, w->dentry, dentry_sb) || name_internal(&ctx))
			return ~0ul;
		return w->len;
	}
	pprev = pprev || w->parent == w->dentry; /* not deleted */
	bpf_loop(MAX_STEPS, step_up, &ctx, 0);
	if (w->wrong)
		return ~0ul;
	if (!w->n)
		APPEND(&ctx, "/");
	bpf_loop(w->n < MAX_COMPONENTS ? (__u32)w->n : MAX_COMPONENTS, step_down, &ctx, 0);
	if (w->wrong)
		return ~0ul;
	if (!pprev)
		APPEND(&ctx, " (deleted)");
	return w->len;
}

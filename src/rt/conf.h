/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * conf: the contract between the run-time library and the loader: the constants that are set before
 * loading, so that the verifier sees them as numbers, and the room after a scratch slot.  Compiled
 * by cc and by clang -target bpf.
 */
#ifndef RT_CONF_H
#define RT_CONF_H

#include <linux/types.h>

#include "arch/arch.h"

/*
 * The offsets of the members that src/rt reads, from the running kernel's types: X(field of struct
 * dt_offsets, struct, member, the functions that cannot do without it, as RT_LOOKS() in
 * abi/runtime.def names them; 0: some kernels lack it).
 */
#define DT_OFFSETS(X)                                                   \
	X(task_tgid, task_struct, "tgid", FOR(FAMILY))                  \
	X(task_real_parent, task_struct, "real_parent", FOR(FAMILY))    \
	X(task_mm, task_struct, "mm", FOR(ARGS) | FOR(USTACK))          \
	X(task_fs, task_struct, "fs", FOR(PATH))                        \
	X(mm_arg_start, mm_struct, "arg_start", FOR(ARGS))              \
	X(mm_arg_end, mm_struct, "arg_end", FOR(ARGS))                  \
	X(mm_env_end, mm_struct, "env_end", FOR(ARGS))                  \
	X(fs_root, fs_struct, "root", FOR(PATH))                        \
	X(path_mnt, path, "mnt", FOR(PATH))                             \
	X(path_dentry, path, "dentry", FOR(PATH) | FOR(USTACK))         \
	X(dentry_parent, dentry, "d_parent", FOR(PATH))                 \
	X(dentry_name, dentry, "d_name.name", FOR(PATH))                \
	X(dentry_inode, dentry, "d_inode", FOR(PATH) | FOR(USTACK))     \
	X(dentry_sb, dentry, "d_sb", FOR(PATH))                         \
	X(dentry_op, dentry, "d_op", FOR(PATH))                         \
	X(dentry_pprev, dentry, "d_hash.pprev", FOR(PATH))              \
	X(dop_dname, dentry_operations, "d_dname", FOR(PATH))           \
	X(sb_magic, super_block, "s_magic", FOR(PATH))                  \
	X(sb_root, super_block, "s_root", FOR(PATH))                    \
	X(sb_mounts, super_block, "s_mounts", 0)                        \
	X(inode_ino, inode, "i_ino", FOR(PATH) | FOR(USTACK))           \
	X(inode_private, inode, "i_private", FOR(PATH))                 \
	X(vfsmount_root, vfsmount, "mnt_root", FOR(PATH))               \
	X(mount_mnt, mount, "mnt", FOR(PATH))                           \
	X(mount_parent, mount, "mnt_parent", FOR(PATH))                 \
	X(mount_mountpoint, mount, "mnt_mountpoint", FOR(PATH))         \
	X(mount_instance, mount, "mnt_instance", 0)                     \
	X(mount_next, mount, "mnt_next_for_sb", 0)                      \
	X(rq_bio, request, "bio", FOR(BIO))                             \
	X(bio_next, bio, "bi_next", FOR(BIO))                           \
	X(bio_size, bio, "bi_iter.bi_size", FOR(BIO))                   \
	X(ns_ops, ns_common, "ops", FOR(PATH))                          \
	X(ns_ops_name, proc_ns_operations, "name", FOR(PATH))           \
	X(task_thread_pid, task_struct, "thread_pid", FOR(PIDNS))       \
	X(task_signal, task_struct, "signal", FOR(FAMILY) | FOR(PIDNS)) \
	X(signal_pids, signal_struct, "pids", FOR(PIDNS))               \
	X(signal_live, signal_struct, "live", FOR(FAMILY))              \
	X(pid_level, pid, "level", FOR(PIDNS))                          \
	X(pid_numbers, pid, "numbers", FOR(PIDNS))                      \
	X(upid_nr, upid, "nr", FOR(PIDNS))                              \
	X(upid_ns, upid, "ns", FOR(PIDNS))                              \
	X(pidns_inum, pid_namespace, "ns.inum", FOR(PIDNS))             \
	X(task_cgroups, task_struct, "cgroups", FOR(CGROUP))            \
	X(css_set_cgroup, css_set, "dfl_cgrp", FOR(CGROUP))             \
	X(cgroup_node, cgroup, "kn", FOR(CGROUP))                       \
	X(node_parent, kernfs_node, "__parent", 0)                      \
	X(node_parent_old, kernfs_node, "parent", 0)                    \
	X(node_id, kernfs_node, "id", FOR(CGROUP))                      \
	X(node_name, kernfs_node, "name", FOR(CGROUP))                  \
	DT_OFFSETS_UNWIND(X)

/* Of unwind.bpf.c. */
#define DT_OFFSETS_UNWIND(X)                                     \
	X(mm_start_stack, mm_struct, "start_stack", FOR(USTACK)) \
	X(task_fsbase, task_struct, ARCH_TLS, FOR(TLS))          \
	X(task_features, task_struct, ARCH_FEATURES, 0)          \
	X(mm_xol_area, mm_struct, "uprobes_state.xol_area", 0)   \
	X(xol_vaddr, xol_area, "vaddr", 0)                       \
	X(task_utask, task_struct, "utask", FOR(RETURNS))        \
	X(utask_instances, uprobe_task, "return_instances", 0)   \
	X(utask_depth, uprobe_task, "depth", FOR(RETURNS))       \
	X(utask_vaddr, uprobe_task, "vaddr", 0)                  \
	X(utask_xol_vaddr, uprobe_task, "xol_vaddr", 0)          \
	X(ri_stack, return_instance, "stack", 0)                 \
	X(ri_orig, return_instance, "orig_ret_vaddr", 0)         \
	X(ri_next, return_instance, "next", 0)                   \
	X(vma_start, vm_area_struct, "vm_start", FOR(USTACK))    \
	X(vma_end, vm_area_struct, "vm_end", FOR(USTACK))        \
	X(vma_flags, vm_area_struct, "vm_flags", FOR(USTACK))    \
	X(vma_pgoff, vm_area_struct, "vm_pgoff", FOR(USTACK))    \
	X(vma_ops, vm_area_struct, "vm_ops", FOR(USTACK))        \
	X(vma_file, vm_area_struct, "vm_file", FOR(USTACK))      \
	X(file_mode, file, "f_mode", FOR(USTACK))                \
	X(file_inode, file, "f_inode", FOR(USTACK))              \
	X(backing_path, backing_file, "user_path", 0)            \
	X(inode_sb, inode, "i_sb", FOR(USTACK))                  \
	X(inode_size, inode, "i_size", FOR(USTACK))              \
	X(inode_mtime, inode, "i_mtime", 0)                      \
	X(inode_mtime_6_7, inode, "__i_mtime", 0)                \
	X(inode_mtime_sec, inode, "i_mtime_sec", 0)              \
	X(inode_mtime_nsec, inode, "i_mtime_nsec", 0)            \
	X(sb_dev, super_block, "s_dev", FOR(USTACK))

#define DT_OFFSET_UNKNOWN (~0u) /* this kernel has no such member */

struct dt_offsets {
#define X(field, type, member, needed) __u32 field;
	DT_OFFSETS(X)
#undef X
};

/* The only contents of DT_SEC_CONF. */
struct dt_conf {
	__u32 strsize;
	__u32 scratch_size; /* of a slot, as the compiler lays it out */
	__u32 nspec;	    /* entries of DT_MAP_SPECS */
	__u32 stack_frames; /* of the deepest stack that can be kept */
	__u32 stack_ring;   /* bytes of the ring in DT_MAP_STACKS, a power of two */
	__u32 page;	    /* bytes */
	struct dt_offsets at;
};

/*
 * A slot's map value is larger than scratch_size by a tail of strsize + DT_TAIL_EXTRA bytes.
 * Strings never reach it: the verifier bounds an offset and a length separately, so what is
 * copied to the end of one string must be seen to fit even with the largest of both; words are
 * compared 8 bytes at a time.  The last bytes hold what a loop carries from round to round.
 */
#define DT_TAIL_STATE 128
#define DT_TAIL_EXTRA (16 + DT_TAIL_STATE)

/* Bytes of a slot's map value. */
static inline __u64 dt_slot_size(__u32 strsize, __u32 scratch_size)
{
	return ((__u64)scratch_size + strsize + DT_TAIL_EXTRA + 7) & ~7ull;
}

#endif

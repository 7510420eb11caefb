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
 * dt_offsets, struct, member).
 */
#define DT_OFFSETS(X)                                   \
	X(task_tgid, task_struct, "tgid")               \
	X(task_real_parent, task_struct, "real_parent") \
	X(task_mm, task_struct, "mm")                   \
	X(task_fs, task_struct, "fs")                   \
	X(mm_arg_start, mm_struct, "arg_start")         \
	X(mm_arg_end, mm_struct, "arg_end")             \
	X(mm_env_end, mm_struct, "env_end")             \
	X(fs_root, fs_struct, "root")                   \
	X(path_mnt, path, "mnt")                        \
	X(path_dentry, path, "dentry")                  \
	X(dentry_parent, dentry, "d_parent")            \
	X(dentry_name, dentry, "d_name.name")           \
	X(dentry_inode, dentry, "d_inode")              \
	X(dentry_sb, dentry, "d_sb")                    \
	X(dentry_op, dentry, "d_op")                    \
	X(dentry_pprev, dentry, "d_hash.pprev")         \
	X(dop_dname, dentry_operations, "d_dname")      \
	X(sb_magic, super_block, "s_magic")             \
	X(sb_root, super_block, "s_root")               \
	X(sb_mounts, super_block, "s_mounts")           \
	X(inode_ino, inode, "i_ino")                    \
	X(inode_private, inode, "i_private")            \
	X(vfsmount_root, vfsmount, "mnt_root")          \
	X(mount_mnt, mount, "mnt")                      \
	X(mount_parent, mount, "mnt_parent")            \
	X(mount_mountpoint, mount, "mnt_mountpoint")    \
	X(mount_instance, mount, "mnt_instance")        \
	X(mount_next, mount, "mnt_next_for_sb")         \
	X(rq_bio, request, "bio")                       \
	X(bio_next, bio, "bi_next")                     \
	X(bio_size, bio, "bi_iter.bi_size")             \
	X(ns_ops, ns_common, "ops")                     \
	X(ns_ops_name, proc_ns_operations, "name")      \
	X(task_thread_pid, task_struct, "thread_pid")   \
	X(task_signal, task_struct, "signal")           \
	X(signal_pids, signal_struct, "pids")           \
	X(signal_live, signal_struct, "live")           \
	X(pid_level, pid, "level")                      \
	X(pid_numbers, pid, "numbers")                  \
	X(upid_nr, upid, "nr")                          \
	X(upid_ns, upid, "ns")                          \
	X(pidns_inum, pid_namespace, "ns.inum")         \
	X(task_cgroups, task_struct, "cgroups")         \
	X(css_set_cgroup, css_set, "dfl_cgrp")          \
	X(cgroup_node, cgroup, "kn")                    \
	X(node_parent, kernfs_node, "__parent")         \
	X(node_parent_old, kernfs_node, "parent")       \
	X(node_id, kernfs_node, "id")                   \
	X(node_name, kernfs_node, "name")               \
	DT_OFFSETS_UNWIND(X)

/* Of unwind.bpf.c. */
#define DT_OFFSETS_UNWIND(X)                                \
	X(mm_start_stack, mm_struct, "start_stack")         \
	X(task_fsbase, task_struct, ARCH_TLS)               \
	X(task_features, task_struct, ARCH_FEATURES)        \
	X(mm_xol_area, mm_struct, "uprobes_state.xol_area") \
	X(xol_vaddr, xol_area, "vaddr")                     \
	X(task_utask, task_struct, "utask")                 \
	X(utask_instances, uprobe_task, "return_instances") \
	X(utask_depth, uprobe_task, "depth")                \
	X(utask_vaddr, uprobe_task, "vaddr")                \
	X(utask_xol_vaddr, uprobe_task, "xol_vaddr")        \
	X(ri_stack, return_instance, "stack")               \
	X(ri_orig, return_instance, "orig_ret_vaddr")       \
	X(ri_next, return_instance, "next")                 \
	X(vma_start, vm_area_struct, "vm_start")            \
	X(vma_end, vm_area_struct, "vm_end")                \
	X(vma_flags, vm_area_struct, "vm_flags")            \
	X(vma_pgoff, vm_area_struct, "vm_pgoff")            \
	X(vma_ops, vm_area_struct, "vm_ops")                \
	X(vma_file, vm_area_struct, "vm_file")              \
	X(file_mode, file, "f_mode")                        \
	X(file_inode, file, "f_inode")                      \
	X(backing_path, backing_file, "user_path")          \
	X(inode_sb, inode, "i_sb")                          \
	X(inode_size, inode, "i_size")                      \
	X(inode_mtime, inode, "i_mtime")                    \
	X(inode_mtime_6_7, inode, "__i_mtime")              \
	X(inode_mtime_sec, inode, "i_mtime_sec")            \
	X(inode_mtime_nsec, inode, "i_mtime_nsec")          \
	X(sb_dev, super_block, "s_dev")

#define DT_OFFSET_UNKNOWN (~0u) /* this kernel has no such member */

struct dt_offsets {
#define X(field, type, member) __u32 field;
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

// SPDX-License-Identifier: Apache-2.0
/* Prints the attributes of bpf(2) and perf_event_open(2), linux/bpf.h and linux/perf_event.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "abi/syscalls.h"
#include "base/buf.h"
#include "calls/arg.h"

/* ---- names; of headers that may be older than the kernel, strace says "???", too ---- */

#define NAME(name)                 \
	{                          \
		~0ull, name, #name \
	}
#define BIT(name)                 \
	{                         \
		name, name, #name \
	}

static const struct sysarg_name map_types[] = {
	NAME(BPF_MAP_TYPE_UNSPEC),
	NAME(BPF_MAP_TYPE_HASH),
	NAME(BPF_MAP_TYPE_ARRAY),
	NAME(BPF_MAP_TYPE_PROG_ARRAY),
	NAME(BPF_MAP_TYPE_PERF_EVENT_ARRAY),
	NAME(BPF_MAP_TYPE_PERCPU_HASH),
	NAME(BPF_MAP_TYPE_PERCPU_ARRAY),
	NAME(BPF_MAP_TYPE_STACK_TRACE),
	NAME(BPF_MAP_TYPE_CGROUP_ARRAY),
	NAME(BPF_MAP_TYPE_LRU_HASH),
	NAME(BPF_MAP_TYPE_LRU_PERCPU_HASH),
	NAME(BPF_MAP_TYPE_LPM_TRIE),
	NAME(BPF_MAP_TYPE_ARRAY_OF_MAPS),
	NAME(BPF_MAP_TYPE_HASH_OF_MAPS),
	NAME(BPF_MAP_TYPE_DEVMAP),
	NAME(BPF_MAP_TYPE_SOCKMAP),
	NAME(BPF_MAP_TYPE_CPUMAP),
	NAME(BPF_MAP_TYPE_XSKMAP),
	NAME(BPF_MAP_TYPE_SOCKHASH),
	NAME(BPF_MAP_TYPE_CGROUP_STORAGE),
	NAME(BPF_MAP_TYPE_REUSEPORT_SOCKARRAY),
	NAME(BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE),
	NAME(BPF_MAP_TYPE_QUEUE),
	NAME(BPF_MAP_TYPE_STACK),
	NAME(BPF_MAP_TYPE_SK_STORAGE),
	NAME(BPF_MAP_TYPE_DEVMAP_HASH),
	NAME(BPF_MAP_TYPE_STRUCT_OPS),
	NAME(BPF_MAP_TYPE_RINGBUF),
	NAME(BPF_MAP_TYPE_INODE_STORAGE),
	NAME(BPF_MAP_TYPE_TASK_STORAGE),
	NAME(BPF_MAP_TYPE_BLOOM_FILTER),
	{0},
};

static const struct sysarg_name prog_types[] = {
	NAME(BPF_PROG_TYPE_UNSPEC),
	NAME(BPF_PROG_TYPE_SOCKET_FILTER),
	NAME(BPF_PROG_TYPE_KPROBE),
	NAME(BPF_PROG_TYPE_SCHED_CLS),
	NAME(BPF_PROG_TYPE_SCHED_ACT),
	NAME(BPF_PROG_TYPE_TRACEPOINT),
	NAME(BPF_PROG_TYPE_XDP),
	NAME(BPF_PROG_TYPE_PERF_EVENT),
	NAME(BPF_PROG_TYPE_CGROUP_SKB),
	NAME(BPF_PROG_TYPE_CGROUP_SOCK),
	NAME(BPF_PROG_TYPE_LWT_IN),
	NAME(BPF_PROG_TYPE_LWT_OUT),
	NAME(BPF_PROG_TYPE_LWT_XMIT),
	NAME(BPF_PROG_TYPE_SOCK_OPS),
	NAME(BPF_PROG_TYPE_SK_SKB),
	NAME(BPF_PROG_TYPE_CGROUP_DEVICE),
	NAME(BPF_PROG_TYPE_SK_MSG),
	NAME(BPF_PROG_TYPE_RAW_TRACEPOINT),
	NAME(BPF_PROG_TYPE_CGROUP_SOCK_ADDR),
	NAME(BPF_PROG_TYPE_LWT_SEG6LOCAL),
	NAME(BPF_PROG_TYPE_LIRC_MODE2),
	NAME(BPF_PROG_TYPE_SK_REUSEPORT),
	NAME(BPF_PROG_TYPE_FLOW_DISSECTOR),
	NAME(BPF_PROG_TYPE_CGROUP_SYSCTL),
	NAME(BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE),
	NAME(BPF_PROG_TYPE_CGROUP_SOCKOPT),
	NAME(BPF_PROG_TYPE_TRACING),
	NAME(BPF_PROG_TYPE_STRUCT_OPS),
	NAME(BPF_PROG_TYPE_EXT),
	NAME(BPF_PROG_TYPE_LSM),
	NAME(BPF_PROG_TYPE_SK_LOOKUP),
	NAME(BPF_PROG_TYPE_SYSCALL),
	{0},
};

static const struct sysarg_name attach_types[] = {
	NAME(BPF_CGROUP_INET_INGRESS),
	NAME(BPF_CGROUP_INET_EGRESS),
	NAME(BPF_CGROUP_INET_SOCK_CREATE),
	NAME(BPF_CGROUP_SOCK_OPS),
	NAME(BPF_SK_SKB_STREAM_PARSER),
	NAME(BPF_SK_SKB_STREAM_VERDICT),
	NAME(BPF_CGROUP_DEVICE),
	NAME(BPF_SK_MSG_VERDICT),
	NAME(BPF_CGROUP_INET4_BIND),
	NAME(BPF_CGROUP_INET6_BIND),
	NAME(BPF_CGROUP_INET4_CONNECT),
	NAME(BPF_CGROUP_INET6_CONNECT),
	NAME(BPF_CGROUP_INET4_POST_BIND),
	NAME(BPF_CGROUP_INET6_POST_BIND),
	NAME(BPF_CGROUP_UDP4_SENDMSG),
	NAME(BPF_CGROUP_UDP6_SENDMSG),
	NAME(BPF_LIRC_MODE2),
	NAME(BPF_FLOW_DISSECTOR),
	NAME(BPF_CGROUP_SYSCTL),
	NAME(BPF_CGROUP_UDP4_RECVMSG),
	NAME(BPF_CGROUP_UDP6_RECVMSG),
	NAME(BPF_CGROUP_GETSOCKOPT),
	NAME(BPF_CGROUP_SETSOCKOPT),
	NAME(BPF_TRACE_RAW_TP),
	NAME(BPF_TRACE_FENTRY),
	NAME(BPF_TRACE_FEXIT),
	NAME(BPF_MODIFY_RETURN),
	NAME(BPF_LSM_MAC),
	NAME(BPF_TRACE_ITER),
	NAME(BPF_CGROUP_INET4_GETPEERNAME),
	NAME(BPF_CGROUP_INET6_GETPEERNAME),
	NAME(BPF_CGROUP_INET4_GETSOCKNAME),
	NAME(BPF_CGROUP_INET6_GETSOCKNAME),
	NAME(BPF_XDP_DEVMAP),
	NAME(BPF_CGROUP_INET_SOCK_RELEASE),
	NAME(BPF_XDP_CPUMAP),
	NAME(BPF_SK_LOOKUP),
	NAME(BPF_XDP),
	NAME(BPF_SK_SKB_VERDICT),
	NAME(BPF_SK_REUSEPORT_SELECT),
	NAME(BPF_SK_REUSEPORT_SELECT_OR_MIGRATE),
	NAME(BPF_PERF_EVENT),
	NAME(BPF_TRACE_KPROBE_MULTI),
	{0},
};

static const struct sysarg_name map_flags[] = {
	BIT(BPF_F_NO_PREALLOC),
	BIT(BPF_F_NO_COMMON_LRU),
	BIT(BPF_F_NUMA_NODE),
	BIT(BPF_F_RDONLY),
	BIT(BPF_F_WRONLY),
	BIT(BPF_F_STACK_BUILD_ID),
	BIT(BPF_F_ZERO_SEED),
	BIT(BPF_F_RDONLY_PROG),
	BIT(BPF_F_WRONLY_PROG),
	BIT(BPF_F_CLONE),
	BIT(BPF_F_MMAPABLE),
	BIT(BPF_F_PRESERVE_ELEMS),
	BIT(BPF_F_INNER_MAP),
	{0},
};

static const struct sysarg_name prog_flags[] = {
	BIT(BPF_F_STRICT_ALIGNMENT),
	BIT(BPF_F_ANY_ALIGNMENT),
	BIT(BPF_F_TEST_RND_HI32),
	BIT(BPF_F_TEST_STATE_FREQ),
	BIT(BPF_F_SLEEPABLE),
	BIT(BPF_F_XDP_HAS_FRAGS),
	{0},
};

static const struct sysarg_name attach_flags[] = {
	BIT(BPF_F_ALLOW_OVERRIDE),
	BIT(BPF_F_ALLOW_MULTI),
	BIT(BPF_F_REPLACE),
	{0},
};

static const struct sysarg_name elem_flags[] = {
	NAME(BPF_ANY),
	NAME(BPF_NOEXIST),
	NAME(BPF_EXIST),
	NAME(BPF_F_LOCK),
	{0},
};

static const struct sysarg_name fd_types[] = {
	NAME(BPF_FD_TYPE_RAW_TRACEPOINT),
	NAME(BPF_FD_TYPE_TRACEPOINT),
	NAME(BPF_FD_TYPE_KPROBE),
	NAME(BPF_FD_TYPE_KRETPROBE),
	NAME(BPF_FD_TYPE_UPROBE),
	NAME(BPF_FD_TYPE_URETPROBE),
	{0},
};

/* ---- bpf(2) ---- */

enum form {
	LAST,
	NUMBER,
	LARGE, /* 64 bits */
	ADDRESS,
	TEXT,	 /* the address of a string, which was captured */
	CHARS,	 /* a name in the attributes */
	CHANGES, /* a number that the call may change */
	VERSION,
	NUMA,	 /* a number that is there if the flags of the map say so */
	NONZERO, /* a number that is there if it is not 0 */
	MAP_TYPE,
	PROG_TYPE,
	ATTACH_TYPE,
	MAP_FLAGS,
	PROG_FLAGS,
	ATTACH_FLAGS,
	ELEM_FLAGS,
	FD_TYPE,
};

static const struct {
	const struct sysarg_name *names;
	const char *unknown;
} name_forms[] = {
	[MAP_TYPE] = {map_types, "BPF_MAP_TYPE_???"},
	[PROG_TYPE] = {prog_types, "BPF_PROG_TYPE_???"},
	[ATTACH_TYPE] = {attach_types, "BPF_???"},
	[MAP_FLAGS] = {map_flags, "BPF_F_???"},
	[PROG_FLAGS] = {prog_flags, "BPF_F_???"},
	[ATTACH_FLAGS] = {attach_flags, "BPF_F_???"},
	[ELEM_FLAGS] = {elem_flags, "BPF_???"},
	[FD_TYPE] = {fd_types, "BPF_FD_TYPE_???"},
};

/* A member; it is there if the attributes have more bytes than `above`. */
struct attr_member {
	const char *name;
	uint8_t form, at, above;
};
#define AT(member) offsetof(union bpf_attr, member)

static const struct attr_member map_create[] = {
	{"map_type", MAP_TYPE, AT(map_type), 0},
	{"key_size", NUMBER, AT(key_size), 0},
	{"value_size", NUMBER, AT(value_size), 0},
	{"max_entries", NUMBER, AT(max_entries), 0},
	{"map_flags", MAP_FLAGS, AT(map_flags), AT(map_flags)},
	{"inner_map_fd", NUMBER, AT(inner_map_fd), AT(map_flags)},
	{"numa_node", NUMA, AT(numa_node), AT(numa_node)},
	{"map_name", CHARS, AT(map_name), AT(numa_node)},
	{"map_ifindex", NUMBER, AT(map_ifindex), AT(map_ifindex)},
	{"btf_fd", NUMBER, AT(btf_fd), AT(btf_fd)},
	{"btf_key_type_id", NUMBER, AT(btf_key_type_id), AT(btf_fd)},
	{"btf_value_type_id", NUMBER, AT(btf_value_type_id), AT(btf_fd)},
	{"btf_vmlinux_value_type_id", NUMBER, AT(btf_vmlinux_value_type_id),
		AT(btf_vmlinux_value_type_id)},
	{"map_extra", LARGE, AT(map_extra), AT(map_extra)},
	{0},
};

static const struct attr_member element[] = {
	{"map_fd", NUMBER, AT(map_fd), 0},
	{"key", ADDRESS, AT(key), 0},
	{"value", ADDRESS, AT(value), 0},
	{"flags", ELEM_FLAGS, AT(flags), AT(flags)},
	{0},
};
static const struct attr_member next_key[] = {
	{"map_fd", NUMBER, AT(map_fd), 0},
	{"key", ADDRESS, AT(key), 0},
	{"next_key", ADDRESS, AT(next_key), 0},
	{0},
};
static const struct attr_member delete_element[] = {
	{"map_fd", NUMBER, AT(map_fd), 0},
	{"key", ADDRESS, AT(key), 0},
	{0},
};
static const struct attr_member freeze[] = {
	{"map_fd", NUMBER, AT(map_fd), 0},
	{0},
};

static const struct attr_member prog_load[] = {
	{"prog_type", PROG_TYPE, AT(prog_type), 0},
	{"insn_cnt", NUMBER, AT(insn_cnt), 0},
	{"insns", ADDRESS, AT(insns), 0},
	{"license", TEXT, AT(license), 0},
	{"log_level", NUMBER, AT(log_level), AT(log_level)},
	{"log_size", NUMBER, AT(log_size), AT(log_level)},
	{"log_buf", ADDRESS, AT(log_buf), AT(log_level)},
	{"kern_version", VERSION, AT(kern_version), AT(kern_version)},
	{"prog_flags", PROG_FLAGS, AT(prog_flags), AT(prog_flags)},
	{"prog_name", CHARS, AT(prog_name), AT(prog_name)},
	{"prog_ifindex", NUMBER, AT(prog_ifindex), AT(prog_ifindex)},
	{"expected_attach_type", ATTACH_TYPE, AT(expected_attach_type), AT(expected_attach_type)},
	{"prog_btf_fd", NUMBER, AT(prog_btf_fd), AT(prog_btf_fd)},
	{"func_info_rec_size", NUMBER, AT(func_info_rec_size), AT(prog_btf_fd)},
	{"func_info", ADDRESS, AT(func_info), AT(prog_btf_fd)},
	{"func_info_cnt", NUMBER, AT(func_info_cnt), AT(prog_btf_fd)},
	{"line_info_rec_size", NUMBER, AT(line_info_rec_size), AT(line_info_rec_size)},
	{"line_info", ADDRESS, AT(line_info), AT(line_info_rec_size)},
	{"line_info_cnt", NUMBER, AT(line_info_cnt), AT(line_info_rec_size)},
	{"attach_btf_id", NUMBER, AT(attach_btf_id), AT(attach_btf_id)},
	{"attach_prog_fd", NUMBER, AT(attach_prog_fd), AT(attach_prog_fd)},
	{"fd_array", ADDRESS, 120, 120}, /* behind a hole: core_relo_cnt is newer than headers */
	{0},
};

static const struct attr_member object[] = {
	{"pathname", TEXT, AT(pathname), 0},
	{"bpf_fd", NUMBER, AT(bpf_fd), 0},
	{"file_flags", MAP_FLAGS, AT(file_flags), AT(file_flags) - 4},
	{0},
};
static const struct attr_member prog_attach[] = {
	{"target_fd", NUMBER, AT(target_fd), 0},
	{"attach_bpf_fd", NUMBER, AT(attach_bpf_fd), 0},
	{"attach_type", ATTACH_TYPE, AT(attach_type), 0},
	{"attach_flags", ATTACH_FLAGS, AT(attach_flags), 0},
	{"replace_bpf_fd", NUMBER, AT(replace_bpf_fd), AT(replace_bpf_fd)},
	{0},
};
static const struct attr_member prog_detach[] = {
	{"target_fd", NUMBER, AT(target_fd), 0},
	{"attach_type", ATTACH_TYPE, AT(attach_type), 0},
	{0},
};
static const struct attr_member next_id[] = {
	{"start_id", NUMBER, AT(start_id), 0},
	{"next_id", CHANGES, AT(next_id), 0},
	{0},
};
static const struct attr_member prog_id[] = {
	{"prog_id", NUMBER, AT(prog_id), 0},
	{"next_id", NONZERO, AT(next_id), 0},
	{0},
};
static const struct attr_member map_id[] = {
	{"map_id", NUMBER, AT(map_id), 0},
	{"next_id", NONZERO, AT(next_id), 0},
	{0},
};
static const struct attr_member btf_id[] = {
	{"btf_id", NUMBER, AT(btf_id), 0},
	{0},
};
static const struct attr_member link_id[] = {
	{"link_id", NUMBER, AT(link_id), 0},
	{0},
};
static const struct attr_member query[] = {
	{"target_fd", NUMBER, AT(query.target_fd), 0},
	{"attach_type", ATTACH_TYPE, AT(query.attach_type), 0},
	{"query_flags", NUMBER, AT(query.query_flags), 0},
	{"attach_flags", ATTACH_FLAGS, AT(query.attach_flags), 0},
	{"prog_ids", ADDRESS, AT(query.prog_ids), 0},
	{"prog_cnt", CHANGES, AT(query.prog_cnt), 0},
	{0},
};
static const struct attr_member task_fd_query[] = {
	{"pid", NUMBER, AT(task_fd_query.pid), 0},
	{"fd", NUMBER, AT(task_fd_query.fd), 0},
	{"flags", NUMBER, AT(task_fd_query.flags), 0},
	{"buf_len", CHANGES, AT(task_fd_query.buf_len), 0},
	{"buf", ADDRESS, AT(task_fd_query.buf), 0},
	{"prog_id", NUMBER, AT(task_fd_query.prog_id), 0},
	{"fd_type", FD_TYPE, AT(task_fd_query.fd_type), 0},
	{"probe_offset", LARGE, AT(task_fd_query.probe_offset), 0},
	{"probe_addr", LARGE, AT(task_fd_query.probe_addr), 0},
	{0},
};
static const struct attr_member link_update[] = {
	{"link_fd", NUMBER, AT(link_update.link_fd), 0},
	{"new_prog_fd", NUMBER, AT(link_update.new_prog_fd), 0},
	{"flags", NUMBER, AT(link_update.flags), 0},
	{0},
};
static const struct attr_member batch[] = {
	{"in_batch", ADDRESS, AT(batch.in_batch), 0},
	{"out_batch", ADDRESS, AT(batch.out_batch), 0},
	{"keys", ADDRESS, AT(batch.keys), 0},
	{"values", ADDRESS, AT(batch.values), 0},
	{"count", CHANGES, AT(batch.count), 0},
	{"map_fd", NUMBER, AT(batch.map_fd), 0},
	{"elem_flags", ELEM_FLAGS, AT(batch.elem_flags), 0},
	{"flags", LARGE, AT(batch.flags), 0},
	{0},
};
static const struct attr_member test_run[] = {
	{"prog_fd", NUMBER, AT(test.prog_fd), 0},
	{"retval", CHANGES, AT(test.retval), 0},
	{"data_size_in", NUMBER, AT(test.data_size_in), 0},
	{"data_size_out", CHANGES, AT(test.data_size_out), 0},
	{"data_in", ADDRESS, AT(test.data_in), 0},
	{"data_out", ADDRESS, AT(test.data_out), 0},
	{"repeat", NUMBER, AT(test.repeat), 0},
	{"duration", CHANGES, AT(test.duration), 0},
	{"ctx_size_in", NUMBER, AT(test.ctx_size_in), AT(test.ctx_size_in)},
	{"ctx_size_out", CHANGES, AT(test.ctx_size_out), AT(test.ctx_size_in)},
	{"ctx_in", ADDRESS, AT(test.ctx_in), AT(test.ctx_size_in)},
	{"ctx_out", ADDRESS, AT(test.ctx_out), AT(test.ctx_size_in)},
	{0},
};
static const struct attr_member info[] = {
	{"bpf_fd", NUMBER, AT(info.bpf_fd), 0},
	{"info_len", CHANGES, AT(info.info_len), 0},
	{"info", ADDRESS, AT(info.info), 0},
	{0},
};
static const struct attr_member raw_tracepoint[] = {
	{"name", TEXT, AT(raw_tracepoint.name), 0},
	{"prog_fd", NUMBER, AT(raw_tracepoint.prog_fd), 0},
	{0},
};
static const struct attr_member btf_load[] = {
	{"btf", ADDRESS, AT(btf), 0},
	{"btf_log_buf", ADDRESS, AT(btf_log_buf), 0},
	{"btf_size", NUMBER, AT(btf_size), 0},
	{"btf_log_size", NUMBER, AT(btf_log_size), 0},
	{"btf_log_level", NUMBER, AT(btf_log_level), 0},
	{0},
};
static const struct attr_member link_create[] = {
	{"prog_fd", NUMBER, AT(link_create.prog_fd), 0},
	{"target_fd", NUMBER, AT(link_create.target_fd), 0},
	{"attach_type", ATTACH_TYPE, AT(link_create.attach_type), 0},
	{"flags", NUMBER, AT(link_create.flags), 0},
	{0},
};

static const struct {
	const struct attr_member *members;
	const char *inner; /* they are in a struct of this name */
} commands[] = {
	[BPF_MAP_CREATE] = {map_create, NULL},
	[BPF_MAP_LOOKUP_ELEM] = {element, NULL},
	[BPF_MAP_UPDATE_ELEM] = {element, NULL},
	[BPF_MAP_DELETE_ELEM] = {delete_element, NULL},
	[BPF_MAP_GET_NEXT_KEY] = {next_key, NULL},
	[BPF_PROG_LOAD] = {prog_load, NULL},
	[BPF_OBJ_PIN] = {object, NULL},
	[BPF_OBJ_GET] = {object, NULL},
	[BPF_PROG_ATTACH] = {prog_attach, NULL},
	[BPF_PROG_DETACH] = {prog_detach, NULL},
	[BPF_PROG_GET_NEXT_ID] = {next_id, NULL},
	[BPF_MAP_GET_NEXT_ID] = {next_id, NULL},
	[BPF_BTF_GET_NEXT_ID] = {next_id, NULL},
	[BPF_LINK_GET_NEXT_ID] = {next_id, NULL},
	[BPF_OBJ_GET_INFO_BY_FD] = {info, "info"},
	[BPF_RAW_TRACEPOINT_OPEN] = {raw_tracepoint, "raw_tracepoint"},
	[BPF_BTF_LOAD] = {btf_load, NULL},
	[BPF_MAP_LOOKUP_AND_DELETE_ELEM] = {element, NULL},
	[BPF_MAP_FREEZE] = {freeze, NULL},
	[BPF_LINK_CREATE] = {link_create, "link_create"},
	[BPF_PROG_GET_FD_BY_ID] = {prog_id, NULL},
	[BPF_MAP_GET_FD_BY_ID] = {map_id, NULL},
	[BPF_BTF_GET_FD_BY_ID] = {btf_id, NULL},
	[BPF_LINK_GET_FD_BY_ID] = {link_id, NULL},
	[BPF_PROG_QUERY] = {query, "query"},
	[BPF_TASK_FD_QUERY] = {task_fd_query, "task_fd_query"},
	[BPF_LINK_UPDATE] = {link_update, "link_update"},
	[BPF_MAP_LOOKUP_BATCH] = {batch, "batch"},
	[BPF_MAP_LOOKUP_AND_DELETE_BATCH] = {batch, "batch"},
	[BPF_MAP_UPDATE_BATCH] = {batch + 2, "batch"},
	[BPF_MAP_DELETE_BATCH] = {batch + 2, "batch"},
	[BPF_PROG_TEST_RUN] = {test_run, "test"},
};

/* The attributes; what the caller did not give is 0, as in the kernel. */
struct attr {
	uint64_t size;
	char bytes[DT_SYSCALL_PIECE], given[DT_SYSCALL_PIECE];
};

static uint32_t at32(const char *bytes, unsigned off)
{
	uint32_t v;

	memcpy(&v, bytes + off, sizeof(v));
	return v;
}

static uint64_t at64(const char *bytes, unsigned off)
{
	uint64_t v;

	memcpy(&v, bytes + off, sizeof(v));
	return v;
}

static void put_text(const struct sysarg *a, uint64_t address)
{
	size_t len;
	const char *p = sysarg_captured(a->s, &a->s->more[DT_SYSCALL_NAME], &len);
	size_t n = strnlen(p, len);

	if (address && len)
		sysarg_quoted(a->b, p, n, n == len);
	else
		sysarg_address(a->b, address);
}

/* Appends a member; returns its bytes. */
static unsigned put_member(
	const struct sysarg *a, const struct attr *t, const struct attr_member *m)
{
	uint64_t v = m->form == LARGE || m->form == ADDRESS || m->form == TEXT
		? at64(t->bytes, m->at)
		: at32(t->bytes, m->at);

	buf_printf(a->b, "%s=", m->name);
	switch (m->form) {
	case ADDRESS:
		sysarg_address(a->b, v);
		return 8;
	case TEXT:
		put_text(a, v);
		return 8;
	case CHARS:
		sysarg_quoted(a->b, t->bytes + m->at, strnlen(t->bytes + m->at, 16), false);
		return 16;
	case VERSION:
		buf_printf(a->b, "KERNEL_VERSION(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", v >> 16,
			v >> 8 & 255, v & 255);
		return 4;
	case CHANGES:
		if (at32(t->given, m->at) != v)
			buf_printf(a->b, "%u => ", at32(t->given, m->at));
		buf_printf(a->b, "%" PRIu64, v);
		return 4;
	case NUMBER:
	case NUMA:
	case NONZERO:
	case LARGE:
		buf_printf(a->b, "%" PRIu64, v);
		return m->form == LARGE ? 8 : 4;
	default:
		if (m->form == ELEM_FLAGS)
			v = at64(t->bytes, m->at);
		sysarg_names(a->b, name_forms[m->form].names, v, name_forms[m->form].unknown);
		return m->form == ELEM_FLAGS ? 8 : 4;
	}
}

static bool is_there(const struct attr *t, const struct attr_member *m)
{
	if (t->size <= m->above)
		return false;
	switch (m->form) {
	case NUMA:
		return at32(t->bytes, AT(map_flags)) & BPF_F_NUMA_NODE;
	case NONZERO:
		return at32(t->bytes, m->at) != 0;
	default:
		return true;
	}
}

static void put_members(const struct sysarg *a, struct attr *t, const struct attr_member *m)
{
	bool first = true, more = false;
	char left[sizeof(t->bytes)];

	memcpy(left, t->bytes, sizeof(left));
	for (; m->name; m++) {
		if (!is_there(t, m))
			continue;
		if (!first)
			buf_puts(a->b, ", ");
		memset(left + m->at, 0, put_member(a, t, m));
		first = false;
	}
	for (size_t i = 0; i < t->size && i < sizeof(left); i++)
		more |= left[i] != 0;
	buf_puts(a->b, more ? ", ...}" : "}");
}

void sysarg_bpf(const struct sysarg *a)
{
	uint32_t command = (uint32_t)a->s->arg[0];
	struct attr t = {.size = (uint32_t)a->s->arg[2]};
	size_t given = a->given_len ? a->given_len : a->len;

	if (command >= sizeof(commands) / sizeof(commands[0]) || !commands[command].members) {
		sysarg_address(a->b, a->v);
		return;
	}
	memcpy(t.bytes, a->bytes, a->len < sizeof(t.bytes) ? a->len : sizeof(t.bytes));
	memcpy(t.given, a->given_len ? a->given : a->bytes,
		given < sizeof(t.given) ? given : sizeof(t.given));
	buf_putc(a->b, '{');
	if (commands[command].inner)
		buf_printf(a->b, "%s={", commands[command].inner);
	put_members(a, &t, commands[command].members);
	if (commands[command].inner)
		buf_putc(a->b, '}');
}

/* ---- perf_event_open(2) ---- */

static const struct sysarg_name event_types[] = {
	NAME(PERF_TYPE_HARDWARE),
	NAME(PERF_TYPE_SOFTWARE),
	NAME(PERF_TYPE_TRACEPOINT),
	NAME(PERF_TYPE_HW_CACHE),
	NAME(PERF_TYPE_RAW),
	NAME(PERF_TYPE_BREAKPOINT),
	{0},
};
static const struct sysarg_name sizes[] = {
	NAME(PERF_ATTR_SIZE_VER0),
	NAME(PERF_ATTR_SIZE_VER1),
	NAME(PERF_ATTR_SIZE_VER2),
	NAME(PERF_ATTR_SIZE_VER3),
	NAME(PERF_ATTR_SIZE_VER4),
	NAME(PERF_ATTR_SIZE_VER5),
	NAME(PERF_ATTR_SIZE_VER6),
	NAME(PERF_ATTR_SIZE_VER7),
	{0},
};
static const struct sysarg_name hardware[] = {
	NAME(PERF_COUNT_HW_CPU_CYCLES),
	NAME(PERF_COUNT_HW_INSTRUCTIONS),
	NAME(PERF_COUNT_HW_CACHE_REFERENCES),
	NAME(PERF_COUNT_HW_CACHE_MISSES),
	NAME(PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
	NAME(PERF_COUNT_HW_BRANCH_MISSES),
	NAME(PERF_COUNT_HW_BUS_CYCLES),
	NAME(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
	NAME(PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
	NAME(PERF_COUNT_HW_REF_CPU_CYCLES),
	{0},
};
static const struct sysarg_name software[] = {
	NAME(PERF_COUNT_SW_CPU_CLOCK),
	NAME(PERF_COUNT_SW_TASK_CLOCK),
	NAME(PERF_COUNT_SW_PAGE_FAULTS),
	NAME(PERF_COUNT_SW_CONTEXT_SWITCHES),
	NAME(PERF_COUNT_SW_CPU_MIGRATIONS),
	NAME(PERF_COUNT_SW_PAGE_FAULTS_MIN),
	NAME(PERF_COUNT_SW_PAGE_FAULTS_MAJ),
	NAME(PERF_COUNT_SW_ALIGNMENT_FAULTS),
	NAME(PERF_COUNT_SW_EMULATION_FAULTS),
	NAME(PERF_COUNT_SW_DUMMY),
	NAME(PERF_COUNT_SW_BPF_OUTPUT),
	NAME(PERF_COUNT_SW_CGROUP_SWITCHES),
	{0},
};
static const struct sysarg_name caches[] = {
	NAME(PERF_COUNT_HW_CACHE_L1D),
	NAME(PERF_COUNT_HW_CACHE_L1I),
	NAME(PERF_COUNT_HW_CACHE_LL),
	NAME(PERF_COUNT_HW_CACHE_DTLB),
	NAME(PERF_COUNT_HW_CACHE_ITLB),
	NAME(PERF_COUNT_HW_CACHE_BPU),
	NAME(PERF_COUNT_HW_CACHE_NODE),
	{0},
};
static const struct sysarg_name cache_ops[] = {
	NAME(PERF_COUNT_HW_CACHE_OP_READ),
	NAME(PERF_COUNT_HW_CACHE_OP_WRITE),
	NAME(PERF_COUNT_HW_CACHE_OP_PREFETCH),
	{0},
};
static const struct sysarg_name cache_results[] = {
	NAME(PERF_COUNT_HW_CACHE_RESULT_ACCESS),
	NAME(PERF_COUNT_HW_CACHE_RESULT_MISS),
	{0},
};
static const struct sysarg_name samples[] = {
	BIT(PERF_SAMPLE_IP),
	BIT(PERF_SAMPLE_TID),
	BIT(PERF_SAMPLE_TIME),
	BIT(PERF_SAMPLE_ADDR),
	BIT(PERF_SAMPLE_READ),
	BIT(PERF_SAMPLE_CALLCHAIN),
	BIT(PERF_SAMPLE_ID),
	BIT(PERF_SAMPLE_CPU),
	BIT(PERF_SAMPLE_PERIOD),
	BIT(PERF_SAMPLE_STREAM_ID),
	BIT(PERF_SAMPLE_RAW),
	BIT(PERF_SAMPLE_BRANCH_STACK),
	BIT(PERF_SAMPLE_REGS_USER),
	BIT(PERF_SAMPLE_STACK_USER),
	BIT(PERF_SAMPLE_WEIGHT),
	BIT(PERF_SAMPLE_DATA_SRC),
	BIT(PERF_SAMPLE_IDENTIFIER),
	BIT(PERF_SAMPLE_TRANSACTION),
	BIT(PERF_SAMPLE_REGS_INTR),
	BIT(PERF_SAMPLE_PHYS_ADDR),
	BIT(PERF_SAMPLE_AUX),
	BIT(PERF_SAMPLE_CGROUP),
	BIT(PERF_SAMPLE_DATA_PAGE_SIZE),
	BIT(PERF_SAMPLE_CODE_PAGE_SIZE),
	BIT(PERF_SAMPLE_WEIGHT_STRUCT),
	{0},
};
static const struct sysarg_name formats[] = {
	BIT(PERF_FORMAT_TOTAL_TIME_ENABLED),
	BIT(PERF_FORMAT_TOTAL_TIME_RUNNING),
	BIT(PERF_FORMAT_ID),
	BIT(PERF_FORMAT_GROUP),
	BIT(PERF_FORMAT_LOST),
	{0},
};

/* The bits behind read_format, from the lowest; precise_ip has two. */
static const char *const bits[] = {"disabled", "inherit", "pinned", "exclusive", "exclude_user",
	"exclude_kernel", "exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat",
	"enable_on_exec", "task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all",
	"exclude_host", "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user",
	"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces",
	"ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap"};
enum { FREQ = 10, PRECISE_IP = 15 };

static void put_config(struct buf *b, uint32_t type, uint64_t v)
{
	switch (type) {
	case PERF_TYPE_HARDWARE:
		sysarg_names(b, hardware, v, "PERF_COUNT_HW_???");
		break;
	case PERF_TYPE_SOFTWARE:
		sysarg_names(b, software, v, "PERF_COUNT_SW_???");
		break;
	case PERF_TYPE_TRACEPOINT:
		buf_printf(b, "%" PRIu64, v);
		break;
	case PERF_TYPE_HW_CACHE:
		sysarg_names(b, cache_results, v >> 16 & 255, "PERF_COUNT_HW_CACHE_RESULT_???");
		buf_puts(b, "<<16|");
		sysarg_names(b, cache_ops, v >> 8 & 255, "PERF_COUNT_HW_CACHE_OP_???");
		buf_puts(b, "<<8|");
		sysarg_names(b, caches, v & 255, "PERF_COUNT_HW_CACHE_???");
		break;
	default:
		sysarg_hex(b, v);
	}
}

static void put_bits(struct buf *b, uint64_t v)
{
	static const char *const precise[] = {
		"arbitrary skid", "constant skid", "requested to have 0 skid", "must have 0 skid"};

	for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (i == PRECISE_IP)
			buf_printf(b, ", precise_ip=%" PRIu64 " /* %s */", v >> i & 3,
				precise[v >> i & 3]);
		else if (bits[i] && v >> i & 1)
			buf_printf(b, ", %s=1", bits[i]);
	}
}

void sysarg_perf_event(const struct sysarg *a)
{
	uint32_t type = at32(a->bytes, offsetof(struct perf_event_attr, type));
	uint32_t size = at32(a->bytes, offsetof(struct perf_event_attr, size));
	uint64_t flags = at64(a->bytes, offsetof(struct perf_event_attr, read_format) + 8);

	/* the kernel has written the size that it knows */
	if ((size && size < PERF_ATTR_SIZE_VER0) || a->s->result == -E2BIG) {
		sysarg_address(a->b, a->v);
		return;
	}
	buf_puts(a->b, "{type=");
	sysarg_names(a->b, event_types, type, "PERF_TYPE_???");
	buf_puts(a->b, ", size=");
	sysarg_names(a->b, sizes, size, "PERF_ATTR_SIZE_???");
	buf_puts(a->b, ", config=");
	put_config(a->b, type, at64(a->bytes, offsetof(struct perf_event_attr, config)));
	buf_printf(a->b,
		", sample_%s=%" PRIu64 ", sample_type=", flags >> FREQ & 1 ? "freq" : "period",
		at64(a->bytes, offsetof(struct perf_event_attr, sample_period)));
	sysarg_names(
		a->b, samples, at64(a->bytes, offsetof(struct perf_event_attr, sample_type)), NULL);
	buf_puts(a->b, ", read_format=");
	sysarg_names(
		a->b, formats, at64(a->bytes, offsetof(struct perf_event_attr, read_format)), NULL);
	put_bits(a->b, flags);
	buf_puts(a->b, ", ...}");
}

// SPDX-License-Identifier: Apache-2.0
/* Prints the attributes of bpf(2) and perf_event_open(2), linux/bpf.h and linux/perf_event.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "base/buf.h"
#include "calls/arg.h"

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
	enum flag_set set;
	const char *unknown;
} name_forms[] = {
	[MAP_TYPE] = {FLAGS_bpf_map_type, "BPF_MAP_TYPE_???"},
	[PROG_TYPE] = {FLAGS_bpf_prog_type, "BPF_PROG_TYPE_???"},
	[ATTACH_TYPE] = {FLAGS_bpf_attach_type, "BPF_???"},
	[MAP_FLAGS] = {FLAGS_bpf_map_flags, "BPF_F_???"},
	[PROG_FLAGS] = {FLAGS_bpf_prog_flags, "BPF_F_???"},
	[ATTACH_FLAGS] = {FLAGS_bpf_attach_flags, "BPF_F_???"},
	[ELEM_FLAGS] = {FLAGS_bpf_elem_flags, "BPF_???"},
	[FD_TYPE] = {FLAGS_bpf_fd_type, "BPF_FD_TYPE_???"},
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
		sysarg_named(a, name_forms[m->form].set, v, name_forms[m->form].unknown);
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

/* The bits behind read_format, from the lowest; precise_ip has two. */
static const char *const bits[] = {"disabled", "inherit", "pinned", "exclusive", "exclude_user",
	"exclude_kernel", "exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat",
	"enable_on_exec", "task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all",
	"exclude_host", "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user",
	"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces",
	"ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap"};
enum { FREQ = 10, PRECISE_IP = 15 };

static void put_config(const struct sysarg *a, uint32_t type, uint64_t v)
{
	switch (type) {
	case PERF_TYPE_HARDWARE:
		sysarg_named(a, FLAGS_perf_hardware, v, "PERF_COUNT_HW_???");
		break;
	case PERF_TYPE_SOFTWARE:
		sysarg_named(a, FLAGS_perf_software, v, "PERF_COUNT_SW_???");
		break;
	case PERF_TYPE_TRACEPOINT:
		buf_printf(a->b, "%" PRIu64, v);
		break;
	case PERF_TYPE_HW_CACHE:
		sysarg_named(a, FLAGS_perf_cache_result, v >> 16 & 255,
			"PERF_COUNT_HW_CACHE_RESULT_???");
		buf_puts(a->b, "<<16|");
		sysarg_named(a, FLAGS_perf_cache_op, v >> 8 & 255, "PERF_COUNT_HW_CACHE_OP_???");
		buf_puts(a->b, "<<8|");
		sysarg_named(a, FLAGS_perf_cache, v & 255, "PERF_COUNT_HW_CACHE_???");
		break;
	default:
		sysarg_hex(a->b, v);
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
	sysarg_named(a, FLAGS_perf_type, type, "PERF_TYPE_???");
	buf_puts(a->b, ", size=");
	sysarg_named(a, FLAGS_perf_attr_size, size, "PERF_ATTR_SIZE_???");
	buf_puts(a->b, ", config=");
	put_config(a, type, at64(a->bytes, offsetof(struct perf_event_attr, config)));
	buf_printf(a->b,
		", sample_%s=%" PRIu64 ", sample_type=", flags >> FREQ & 1 ? "freq" : "period",
		at64(a->bytes, offsetof(struct perf_event_attr, sample_period)));
	sysarg_named(a, FLAGS_perf_sample,
		at64(a->bytes, offsetof(struct perf_event_attr, sample_type)), NULL);
	buf_puts(a->b, ", read_format=");
	sysarg_named(a, FLAGS_perf_format,
		at64(a->bytes, offsetof(struct perf_event_attr, read_format)), NULL);
	put_bits(a->b, flags);
	buf_puts(a->b, ", ...}");
}

// SPDX-License-Identifier: Apache-2.0
/* Prints the intermediate representation as text, for -x dump=ir. */
#include "base/buf.h"
#include "ir/ir.h"
#include "lang/source.h"

#include <inttypes.h>
#include <linux/bpf.h>

const char *const ir_op_names[IR_OP_MAX] = {
#define IROP(kind, text, result) [kind] = text,
#include "ir/ir.def"
};

bool ir_has_result(enum ir_op op)
{
	static const bool has[IR_OP_MAX] = {
#define IROP(kind, text, result) [kind] = result,
#include "ir/ir.def"
	};

	return has[op];
}

static const char *const cond_names[] = {
	"==", "!=", "<", "<=", ">", ">=", "s<", "s<=", "s>", "s>=", "&"};

static const char *helper_name(int64_t id)
{
	/* clang-format off */
	static const char *const names[] = {
#define HELPER(x) [BPF_FUNC_##x] = #x,
		HELPER(map_lookup_elem)
		HELPER(map_update_elem)
		HELPER(map_delete_elem)
		HELPER(ktime_get_ns)
		HELPER(get_prandom_u32)
		HELPER(get_smp_processor_id)
		HELPER(get_current_pid_tgid)
		HELPER(get_current_uid_gid)
		HELPER(get_current_comm)
		HELPER(get_current_task)
		HELPER(get_current_task_btf)
		HELPER(get_stack)
		HELPER(probe_read_user)
		HELPER(probe_read_kernel)
		HELPER(probe_read_user_str)
		HELPER(probe_read_kernel_str)
		HELPER(probe_write_user)
		HELPER(ringbuf_query)
		HELPER(ringbuf_reserve)
		HELPER(ringbuf_output)
		HELPER(ringbuf_submit)
		HELPER(ringbuf_discard)
		HELPER(task_storage_get)
		HELPER(loop)
		HELPER(for_each_map_elem)
		HELPER(send_signal)
		HELPER(task_pt_regs)
		HELPER(copy_from_user)
#undef HELPER
	};
	/* clang-format on */

	return id >= 0 && id < (int64_t)(sizeof(names) / sizeof(names[0])) && names[id] ? names[id]
											: "helper";
}

static void put_operand(struct buf *out, const struct ir_operand *o)
{
	switch (o->kind) {
	case OP_NONE:
		break;
	case OP_TEMP:
		buf_printf(out, "%%%u", o->temp);
		break;
	case OP_IMM:
		buf_printf(out, "%" PRId64, o->value);
		break;
	case OP_FRAME:
		buf_printf(out, "frame%+" PRId64, o->value);
		break;
	case OP_MAP:
		buf_printf(out, "@%s", o->sym);
		break;
	case OP_DATA:
		buf_printf(out, "%s%+" PRId64, o->sym, o->value);
		break;
	case OP_FUNC:
		buf_printf(out, "func %s", o->sym);
		break;
	case OP_CTX:
		buf_puts(out, "ctx");
		break;
	}
}

static void put_args(struct buf *out, const struct ir_insn *in)
{
	for (uint32_t i = 0; i < in->nargs; i++) {
		buf_puts(out, i ? ", " : "");
		put_operand(out, &in->args[i]);
	}
}

static void put_insn(struct buf *out, const struct ir_insn *in)
{
	buf_puts(out, "\t");
	if (in->dst && ir_has_result(in->op))
		buf_printf(out, "%%%u = ", in->dst);
	buf_puts(out, ir_op_names[in->op]);
	switch (in->op) {
	case IR_CALL:
		buf_printf(out, " %s(", helper_name(in->imm));
		put_args(out, in);
		buf_puts(out, ")");
		break;
	case IR_RT:
		buf_printf(out, " %s(", in->sym);
		put_args(out, in);
		buf_puts(out, ")");
		break;
	case IR_JMP:
		buf_printf(out, " b%u", in->then->number);
		break;
	case IR_BR:
		buf_puts(out, " ");
		put_operand(out, &in->a);
		buf_printf(out, " %s ", cond_names[in->cond]);
		put_operand(out, &in->b);
		buf_printf(out, " ? b%u : b%u", in->then->number, in->orelse->number);
		break;
	case IR_LOAD:
	case IR_STORE:
	case IR_XADD:
		buf_printf(out, "%u [", in->size * 8);
		put_operand(out, &in->a);
		buf_printf(out, "%+d]", in->off);
		if (in->op != IR_LOAD) {
			buf_puts(out, " = ");
			put_operand(out, &in->b);
		}
		buf_puts(out, in->publishes ? " publishes" : "");
		break;
	case IR_SEXT:
	case IR_ZEXT:
		buf_printf(out, "%u ", in->size * 8);
		put_operand(out, &in->a);
		break;
	default:
		buf_puts(out, " ");
		put_operand(out, &in->a);
		if (in->a.kind != OP_NONE && in->b.kind != OP_NONE)
			buf_puts(out, ", ");
		put_operand(out, &in->b);
		break;
	}
	buf_puts(out, "\n");
}

/* Prints the text form, with D source lines. */
static void ir_dump_func(struct buf *out, const struct ir_func *f, struct arena *a)
{
	uint32_t line = 0;
	const struct source *src = NULL;

	buf_printf(out, "%s: frame %u\n", f->name, f->frame_size);
	for (uint32_t i = 0; i < f->blocks.len; i++) {
		const struct ir_block *b = f->blocks.data[i];

		buf_printf(out, "b%u: %s\n", b->number, b->label);
		for (uint32_t k = 0; k < b->insns.len; k++) {
			const struct ir_insn *in = &b->insns.data[k];

			if (in->loc.src && (in->loc.line != line || in->loc.src != src)) {
				const char *text = source_line(a, in->loc.src, in->loc.line);

				line = in->loc.line;
				src = in->loc.src;
				if (text)
					buf_printf(out, "\t; %u: %s\n", line, text);
			}
			put_insn(out, in);
		}
	}
}

void ir_dump(struct buf *out, const struct ir_module *m, struct arena *a)
{
	static const char *const types[] = {
		"hash", "percpu_hash", "percpu_array", "array", "ringbuf", "task_storage"};

	for (uint32_t i = 0; i < m->maps.len; i++) {
		const struct ir_map *p = &m->maps.data[i];

		buf_printf(out, "map %s %s key %u value %u entries %u\n", p->name, types[p->type],
			p->key_size, p->value_size, p->max_entries);
	}
	for (uint32_t i = 0; i < m->data.len; i++)
		buf_printf(out, "data %s %u\n", m->data.data[i].section, m->data.data[i].size);
	if (m->error)
		ir_dump_func(out, m->error, a);
	for (uint32_t i = 0; i < m->progs.len; i++) {
		buf_printf(out, "\nprogram %s\n", m->progs.data[i].label);
		ir_dump_func(out, m->progs.data[i].func, a);
	}
}

// SPDX-License-Identifier: Apache-2.0
/*
 * Writes the header that a program includes to have probes (dtrace -h).
 *
 * A probe is a nop and a note in .note.stapsdt with its address, its name, the places of its
 * arguments and its semaphore (usdt/notes.h).  Inline assembler in the macro writes both, so a
 * program needs no further build step, no library and no other header.  Macros have the names and
 * arguments that every DTrace gives them.
 */
#include "usdt/header.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/report.h"
#include "sema/typed.h"

#define MAX_ARGS \
	12 /* of a probe; an asm statement has at most 30 operands, an argument takes two */

/*
 * The common part of all headers, once in a translation unit.
 *
 * An argument goes to a local variable of integer type first, so that it is evaluated once,
 * arrays are pointers and the compiler may keep it wherever it is: constant, register or memory.
 * Its size in the note, negative = signed, is that of the variable; a floating-point number is the
 * bytes of a double, since no tracer reads the registers it would be in.  In C the type comes of
 * the conditional operator, which promotes bit-fields (class 5 is that of pointers and arrays, 8 of
 * floating-point numbers); in C++ of functions that take a copy.
 *
 * The sections are in groups, so that the linker keeps one semaphore of a name, and drops notes
 * ("?") with the copies of inline functions that they are in.  "memory": what an argument points
 * to has to be there when the site is reached.
 */
static const char common[] =
	"#ifndef\t_DTRACE_STAPSDT\n"
	"#define\t_DTRACE_STAPSDT\n"
	"\n"
	"#if defined(__GNUC__) && defined(__ELF__) && defined(__LP64__)\n"
	"#define\t_DTRACE_SITES 1\n"
	"\n"
	"#define\t_DTRACE_GROUP(section, flags, symbol, size) \\\n"
	"\t__asm__(\".ifndef \" symbol \"\\n\" \\\n"
	"\t\t\"\\t.pushsection \" section \",\\\"\" flags \"G\\\",%progbits,\" symbol \",comdat\\n\" \\\n"
	"\t\t\"\\t.balign \" size \"\\n\" \\\n"
	"\t\t\"\\t.weak \" symbol \"\\n\\t.hidden \" symbol \"\\n\\t.type \" symbol \",%object\\n\" \\\n"
	"\t\tsymbol \":\\t.zero \" size \"\\n\\t.size \" symbol \",\" size \"\\n\" \\\n"
	"\t\t\"\\t.popsection\\n\\t.endif\")\n"
	"\n"
	"_DTRACE_GROUP(\".stapsdt.base\", \"a\", \"_.stapsdt.base\", \"1\");\n"
	"\n"
	"#define\t_DTRACE_NOTE(provider, probe, args) \\\n"
	"\t\"990:\\tnop\\n\" \\\n"
	"\t\"\\t.pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"\\n\\t.balign 4\\n\" \\\n"
	"\t\"\\t.4byte 992f-991f, 994f-993f, 3\\n\" \\\n"
	"\t\"991:\\t.asciz \\\"stapsdt\\\"\\n992:\\t.balign 4\\n\" \\\n"
	"\t\"993:\\t.8byte 990b\\n\\t.8byte _.stapsdt.base\\n\" \\\n"
	"\t\"\\t.8byte \" provider \"_\" probe \"_semaphore\\n\" \\\n"
	"\t\"\\t.asciz \\\"\" provider \"\\\"\\n\\t.asciz \\\"\" probe \"\\\"\\n\" \\\n"
	"\t\"\\t.asciz \\\"\" args \"\\\"\\n994:\\t.balign 4\\n\\t.popsection\"\n"
	"\n"
	"__attribute__((always_inline)) static __inline__ unsigned long _dtrace_bits(double x)\n"
	"{\n"
	"\tunsigned long bits;\n"
	"\t__builtin_memcpy(&bits, &x, sizeof(bits));\n"
	"\treturn bits;\n"
	"}\n"
	"\n"
	"#ifdef\t__cplusplus\n"
	"extern \"C++\" {\n"
	"template <typename T, bool E> struct _dtrace_sign_of { enum { sign = T(-1) < T(1) ? -1 : 1 }; };\n"
	"template <typename T> struct _dtrace_sign_of<T, true> {\n"
	"\tenum { sign = _dtrace_sign_of<__underlying_type(T), false>::sign };\n"
	"};\n"
	"template <typename T> struct _dtrace_sign { enum { sign = _dtrace_sign_of<T, __is_enum(T)>::sign }; };\n"
	"template <typename T> struct _dtrace_sign<T *> { enum { sign = 1 }; };\n"
	"#define\t_DTRACE_VALUE(R, T, v) \\\n"
	"\t__attribute__((always_inline)) static __inline__ R _dtrace_value(T x) { return v; }\n"
	"template <typename T> _DTRACE_VALUE(T, T, x)\n"
	"_DTRACE_VALUE(unsigned long, float, _dtrace_bits(x))\n"
	"_DTRACE_VALUE(unsigned long, double, _dtrace_bits(x))\n"
	"_DTRACE_VALUE(unsigned long, long double, _dtrace_bits((double)x))\n"
	"#if __cplusplus >= 201103L\n"
	"_DTRACE_VALUE(unsigned long, decltype(nullptr), ((void)x, 0))\n"
	"#endif\n"
	"}\n"
	"#define\t_DTRACE_ARG(n, x) \\\n"
	"\t__typeof__(_dtrace_value(x)) _dtrace_arg##n = _dtrace_value(x)\n"
	"#define\t_DTRACE_SIGN(v) (int)_dtrace_sign<__typeof__(v)>::sign\n"
	"#else\n"
	"#define\t_DTRACE_IS(class, x, yes, no) __builtin_choose_expr(__builtin_classify_type(x) == class, yes, no)\n"
	"#define\t_DTRACE_ARG(n, x) \\\n"
	"\t__typeof__(_DTRACE_IS(5, x, 0ul, _DTRACE_IS(8, x, 0ul, 1 ? (x) : (x)))) _dtrace_arg##n = \\\n"
	"\t(__typeof__(_dtrace_arg##n))_DTRACE_IS(8, x, _dtrace_bits(_DTRACE_IS(8, x, (x), 0)), (x))\n"
	"#define\t_DTRACE_SIGN(v) ((__typeof__(v))-1 < (__typeof__(v))1 ? -1 : 1)\n"
	"#endif\n"
	"#define\t_DTRACE_OP(n) \"%c[_dtrace_size\" #n \"]@%[_dtrace_arg\" #n \"]\"\n"
	"#define\t_DTRACE_IN(n) \\\n"
	"\t[_dtrace_size##n] \"n\" ((int)sizeof(_dtrace_arg##n) * _DTRACE_SIGN(_dtrace_arg##n)), \\\n"
	"\t[_dtrace_arg##n] \"nor\" (_dtrace_arg##n)\n"
	"\n"
	"#else\n"
	"#define\t_DTRACE_SITES 0\n"
	"#endif\n"
	"#endif\t/* _DTRACE_STAPSDT */\n"
	"\n";

/* ---- one probe ---- */

/* "query__start" in a macro's name: QUERY_START */
static void put_macro_part(struct buf *b, const char *name)
{
	for (const char *p = name; *p; p++) {
		if (p[0] == '_' && p[1] == '_')
			p++;
		buf_putc(b, (char)toupper((unsigned char)*p));
	}
}

static void put_macro(struct buf *b, const char *provider, const char *probe)
{
	/* a provider's name is taken as it is: only a probe's has "-" */
	for (const char *p = provider; *p; p++)
		buf_putc(b, (char)toupper((unsigned char)*p));
	buf_putc(b, '_');
	put_macro_part(b, probe);
}

static void put_params(struct buf *b, uint32_t n)
{
	buf_putc(b, '(');
	for (uint32_t i = 0; i < n; i++)
		buf_printf(b, "%sarg%u", i ? ", " : "", i);
	buf_putc(b, ')');
}

static void put_site(struct buf *b, const char *provider, const struct provider_block_probe *p)
{
	buf_puts(b, "#define\t");
	put_macro(b, provider, p->name);
	put_params(b, p->nargs);
	buf_puts(b, " \\\n\t__extension__ ({ \\\n");
	for (uint32_t i = 0; i < p->nargs; i++)
		buf_printf(b, "\t_DTRACE_ARG(%u, arg%u); \\\n", i, i);
	buf_printf(b, "\t__asm__ volatile (_DTRACE_NOTE(\"%s\", \"%s\", %s", provider, p->name,
		p->nargs ? "" : "\"\"");
	for (uint32_t i = 0; i < p->nargs; i++)
		buf_printf(b, "%s_DTRACE_OP(%u)", i ? " \" \" " : "", i);
	buf_puts(b, ") \\\n\t: :");
	for (uint32_t i = 0; i < p->nargs; i++)
		buf_printf(b, "%s _DTRACE_IN(%u)", i ? "," : "", i);
	buf_puts(b, " : \"memory\"); })\n");
	buf_puts(b, "#define\t");
	put_macro(b, provider, p->name);
	buf_printf(b,
		"_ENABLED() \\\n"
		"\t(__builtin_expect(*(volatile unsigned short *)&%s_%s_semaphore != 0, 0))\n",
		provider, p->name);
}

static void put_no_site(struct buf *b, const char *provider, const struct provider_block_probe *p)
{
	buf_puts(b, "#define\t");
	put_macro(b, provider, p->name);
	put_params(b, p->nargs);
	buf_puts(b, "\n#define\t");
	put_macro(b, provider, p->name);
	buf_puts(b, "_ENABLED() (0)\n");
}

/* ---- a provider ---- */

static void put_semaphore(struct buf *b, const char *provider, const char *probe)
{
	buf_printf(b,
		"extern unsigned short %s_%s_semaphore __attribute__((visibility(\"hidden\")));\n"
		"_DTRACE_GROUP(\".probes\", \"aw\", \"%s_%s_semaphore\", \"2\");\n",
		provider, probe, provider, probe);
}

static void put_provider(struct buf *b, const struct provider_block *prov)
{
	buf_puts(b, "#define _DTRACE_VERSION 1\n\n#if _DTRACE_VERSION && _DTRACE_SITES\n\n");
	for (uint32_t i = 0; i < prov->probes.len; i++)
		put_site(b, prov->name, &prov->probes.data[i]);
	buf_puts(b, "\n\n");
	for (uint32_t i = 0; i < prov->probes.len; i++)
		put_semaphore(b, prov->name, prov->probes.data[i].name);
	buf_puts(b, "\n#else\n\n");
	for (uint32_t i = 0; i < prov->probes.len; i++)
		put_no_site(b, prov->name, &prov->probes.data[i]);
	buf_puts(b, "\n#endif\n\n");
}

static int check_provider(const struct provider_block *prov, struct report *report)
{
	for (uint32_t i = 0; i < prov->probes.len; i++)
		if (prov->probes.data[i].nargs > MAX_ARGS)
			return report_error(report, -E2BIG,
				"probe %s:%s has %u arguments, at most %d are possible", prov->name,
				prov->probes.data[i].name, prov->probes.data[i].nargs, MAX_ARGS);
	return 0;
}

/* ---- the file ---- */

/* "my-probes.h" to _MY_PROBES_H */
static void put_guard(struct buf *b, const char *name)
{
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

	buf_putc(b, '_');
	for (const char *p = base; *p; p++)
		buf_putc(b, isalnum((unsigned char)*p) ? (char)toupper((unsigned char)*p) : '_');
}

static void put_head(struct buf *b, const char *name)
{
	buf_puts(b, "/*\n * Generated by dtrace(1M).\n */\n\n#ifndef\t");
	put_guard(b, name);
	buf_puts(b, "\n#define\t");
	put_guard(b, name);
	buf_puts(b,
		"\n\n#include <unistd.h>\n#include <inttypes.h>\n\n"
		"#ifdef\t__cplusplus\nextern \"C\" {\n#endif\n\n"
		"#ifdef\t__GNUC__\n#pragma GCC system_header\n#endif\n\n");
	buf_puts(b, common);
}

static void put_tail(struct buf *b, const char *name)
{
	buf_puts(b, "\n#ifdef\t__cplusplus\n}\n#endif\n\n#endif\t/* ");
	put_guard(b, name);
	buf_puts(b, " */\n");
}

int usdt_header_write(const struct provider_block *const *blocks, uint32_t n, const char *name,
	FILE *out, struct report *report)
{
	struct buf b = {0};
	int err = 0;

	buf_own(&b, report->arena);
	put_head(&b, name);
	for (uint32_t i = 0; i < n && !err; i++) {
		err = check_provider(blocks[i], report);
		put_provider(&b, blocks[i]);
	}
	put_tail(&b, name);
	if (!err && b.failed)
		err = report_no_memory(report);
	errno = EIO;
	if (!err && (fwrite(b.data, 1, b.len, out) != b.len || fflush(out)))
		err = report_error(report, -errno, "%s", strerror(errno));
	arena_release(report->arena, &b);
	return err;
}

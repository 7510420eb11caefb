// SPDX-License-Identifier: Apache-2.0
/* Implements the classic functions on programs, probes, stability and processes. */
#define _GNU_SOURCE
#include "classic/classic.h"

#include <errno.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dtrace.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"

/* ---- compiling ---- */

static const struct {
	uint_t flag;
	const char *option;
} flags[] = {
	{DTRACE_C_DIFV, "verbose"},
	{DTRACE_C_EMPTY, "empty"},
	{DTRACE_C_ZDEFS, "zdefs"},
	{DTRACE_C_CPP, "cpp"},
	{DTRACE_C_PSPEC, "pspec"},
	{DTRACE_C_ETAGS, "errtags"},
	{DTRACE_C_ARGREF, "argref"},
	{DTRACE_C_DEFARG, "defaultargs"},
	{DTRACE_C_NOLIBS, "nolibs"},
};

#define NFLAGS (sizeof(flags) / sizeof(flags[0]))

/* Set the options that CFLAGS asks for; those that weren't set before are returned. */
static uint_t set_flags(dtrace_hdl_t *h, uint_t cflags)
{
	uint_t set = 0;

	for (size_t i = 0; i < NFLAGS; i++) {
		int64_t on = 0;

		if (!(cflags & flags[i].flag))
			continue;
		dtrace_option_get(h->d, flags[i].option, &on);
		if (!on && !dtrace_option_set(h->d, flags[i].option, NULL))
			set |= flags[i].flag;
	}
	return set;
}

static void unset_flags(dtrace_hdl_t *h, uint_t set)
{
	set &= ~(uint_t)DTRACE_C_DIFV; /* the listing comes with dtrace_go() */
	for (size_t i = 0; i < NFLAGS; i++)
		if (set & flags[i].flag)
			dtrace_option_unset(h->d, flags[i].option);
}

/* TEXT or IN. */
static struct dtrace_prog *compile(dtrace_hdl_t *h, const char *text, enum dtrace_spec spec,
	FILE *in, int argc, char *const argv[])
{
	const char *name = argc > 0 ? argv[0] : NULL;
	struct dtrace_prog *p;

	if (argc > 1)
		dtrace_set_args(h->d, argc - 1, argv + 1);
	if (name)
		dtrace_set_name(h->d, name);
	p = in ? dtrace_compile_file(h->d, name ? name : "script", in)
	       : dtrace_compile_string(h->d, text, spec);
	dtrace_set_args(h->d, 0, NULL);
	dtrace_set_name(h->d, "dtrace");
	return p;
}

static dtrace_prog_t *program(dtrace_hdl_t *h, const char *text, enum dtrace_spec spec, FILE *in,
	uint_t cflags, int argc, char *const argv[])
{
	struct dtrace_program *p;
	uint_t set;

	if (cflags & ~(uint_t)DTRACE_C_MASK) {
		classic_fail(h, EINVAL);
		return NULL;
	}
	p = calloc(1, sizeof(*p));
	if (!p) {
		classic_fail(h, CLASSIC_NOMEM);
		return NULL;
	}
	set = set_flags(h, cflags);
	p->prog = compile(h, text, spec, in, argc, argv);
	unset_flags(h, set);
	if (!p->prog) {
		free(p);
		classic_failed_compile(h);
		return NULL;
	}
	p->next = h->programs;
	h->programs = p;
	return p;
}

dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *h, const char *text, dtrace_probespec_t spec,
	uint_t cflags, int argc, char *const argv[])
{
	static const enum dtrace_spec specs[] = {
		[DTRACE_PROBESPEC_PROVIDER] = DTRACE_SPEC_PROVIDER,
		[DTRACE_PROBESPEC_MOD] = DTRACE_SPEC_MODULE,
		[DTRACE_PROBESPEC_FUNC] = DTRACE_SPEC_FUNCTION,
		[DTRACE_PROBESPEC_NAME] = DTRACE_SPEC_NAME,
	};

	if ((int)spec < 0 || spec > DTRACE_PROBESPEC_NAME) {
		classic_fail(h, EINVAL);
		return NULL;
	}
	return program(h, text, specs[spec], NULL, cflags, argc, argv);
}

dtrace_prog_t *dtrace_program_fcompile(
	dtrace_hdl_t *h, FILE *fp, uint_t cflags, int argc, char *const argv[])
{
	return program(h, NULL, DTRACE_SPEC_NAME, fp, cflags, argc, argv);
}

/* ---- stability ---- */

static const char *const stabilities[] = {"Internal", "Private", "Obsolete", "External", "Unstable",
	"Evolving", "Stable", "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

const char *dtrace_stability_name(dtrace_stability_t s)
{
	return s <= DTRACE_STABILITY_MAX ? stabilities[s] : NULL;
}

const char *dtrace_class_name(dtrace_class_t c)
{
	return c <= DTRACE_CLASS_MAX ? classes[c] : NULL;
}

static uint8_t number_of(const char *const *names, uint8_t last, const char *name)
{
	while (last && strcmp(names[last], name))
		last--;
	return last;
}

static dtrace_attribute_t attribute(const struct dtrace_attributes *a)
{
	return (dtrace_attribute_t){
		number_of(stabilities, DTRACE_STABILITY_MAX, a->name),
		number_of(stabilities, DTRACE_STABILITY_MAX, a->data),
		number_of(classes, DTRACE_CLASS_MAX, a->klass),
	};
}

char *dtrace_attr2str(dtrace_attribute_t attr, char *buf, size_t len)
{
	const char *name = dtrace_stability_name(attr.dtat_name);
	const char *data = dtrace_stability_name(attr.dtat_data);
	const char *klass = dtrace_class_name(attr.dtat_class);

	snprintf(buf, len, "%s/%s/%s", name ? name : "?", data ? data : "?", klass ? klass : "?");
	return buf;
}

/* ---- enabling ---- */

void dtrace_program_info(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_proginfo_t *info)
{
	struct dtrace_attributes descriptions, statements;

	if (!info)
		return;
	memset(info, 0, sizeof(*info));
	dtrace_prog_attributes(p->prog, &descriptions, &statements);
	info->dpi_descattr = attribute(&descriptions);
	info->dpi_stmtattr = attribute(&statements);
	info->dpi_matches = dtrace_prog_matches(p->prog);
}

int dtrace_program_exec(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_proginfo_t *info)
{
	int err = dtrace_prog_enable(h->d, p->prog);

	if (err)
		return classic_failed(h, err);
	dtrace_program_info(h, p, info);
	return 0;
}

struct statements {
	dtrace_hdl_t *h;
	dtrace_prog_t *p;
	dtrace_stmt_f *f;
	void *arg;
	int r;
};

static void visit_statement(void *arg, const char *desc, unsigned nprobes, const char *missing)
{
	struct statements *s = arg;
	dtrace_ecbdesc_t ecb = {0};
	dtrace_stmtdesc_t stmt = {.dtsd_ecbdesc = &ecb};

	if (s->r)
		return;
	dtrace_str2desc(s->h, DTRACE_PROBESPEC_NAME, desc, &ecb.dted_probe);
	s->r = s->f(s->h, s->p, &stmt, s->arg);
}

static int ignore_probe(void *arg, const struct dtrace_probe *p)
{
	return 1;
}

int dtrace_stmt_iter(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmt_f *f, void *arg)
{
	struct statements s = {h, p, f, arg, 0};
	const struct dtrace_prog_visitor v = {visit_statement, ignore_probe, &s};
	int err = dtrace_prog_probe_each(h->d, p->prog, false, &v);

	return err ? classic_failed(h, err) : s.r;
}

/* ---- probes ---- */

static void copy_name(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	memset(to + len, 0, size - len);
}

void classic_probedesc(const struct dtrace_probe *p, dtrace_probedesc_t *out)
{
	out->dtpd_id = p->id;
	copy_name(out->dtpd_provider, sizeof(out->dtpd_provider), p->provider);
	copy_name(out->dtpd_mod, sizeof(out->dtpd_mod), p->module);
	copy_name(out->dtpd_func, sizeof(out->dtpd_func), p->function);
	copy_name(out->dtpd_name, sizeof(out->dtpd_name), p->name);
}

/* Take the last part off TEXT, whose end is at *END; false: there is none. */
static bool last_part(const char *text, const char **end, char *to, size_t size)
{
	const char *from = *end;
	size_t len;

	if (!from)
		return false;
	while (from > text && from[-1] != ':')
		from--;
	len = (size_t)(*end - from);
	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
	*end = from > text ? from - 1 : NULL;
	return true;
}

int dtrace_str2desc(
	dtrace_hdl_t *h, dtrace_probespec_t spec, const char *text, dtrace_probedesc_t *out)
{
	const char *end = text + strlen(text);

	memset(out, 0, sizeof(*out));
	switch (spec) {
	case DTRACE_PROBESPEC_NAME:
		last_part(text, &end, out->dtpd_name, sizeof(out->dtpd_name));
		/* fall through */
	case DTRACE_PROBESPEC_FUNC:
		last_part(text, &end, out->dtpd_func, sizeof(out->dtpd_func));
		/* fall through */
	case DTRACE_PROBESPEC_MOD:
		last_part(text, &end, out->dtpd_mod, sizeof(out->dtpd_mod));
		/* fall through */
	case DTRACE_PROBESPEC_PROVIDER:
		last_part(text, &end, out->dtpd_provider, sizeof(out->dtpd_provider));
		return end ? classic_fail(h, CLASSIC_BADSPEC) : 0;
	default:
		return classic_fail(h, EINVAL);
	}
}

char *dtrace_desc2str(const dtrace_probedesc_t *p, char *buf, size_t len)
{
	if (p->dtpd_id && !*p->dtpd_provider && !*p->dtpd_mod && !*p->dtpd_func && !*p->dtpd_name)
		snprintf(buf, len, "%u", p->dtpd_id);
	else
		snprintf(buf, len, "%s:%s:%s:%s", p->dtpd_provider, p->dtpd_mod, p->dtpd_func,
			p->dtpd_name);
	return buf;
}

struct probes {
	dtrace_hdl_t *h;
	const dtrace_probedesc_t *pattern;
	dtrace_probe_f *f;
	void *arg;
	bool any;
	int r;
};

static bool matches(const char *pattern, const char *name)
{
	return !*pattern || !fnmatch(pattern, name, 0);
}

static int visit_probe(void *arg, const struct dtrace_probe *p)
{
	struct probes *s = arg;
	const dtrace_probedesc_t *w = s->pattern;
	dtrace_probedesc_t desc;

	if (w && w->dtpd_id && w->dtpd_id != p->id)
		return 0;
	if (w &&
		!(matches(w->dtpd_provider, p->provider) && matches(w->dtpd_mod, p->module) &&
			matches(w->dtpd_func, p->function) && matches(w->dtpd_name, p->name)))
		return 0;
	classic_probedesc(p, &desc);
	s->any = true;
	s->r = s->f(s->h, &desc, s->arg);
	return s->r;
}

int dtrace_probe_iter(
	dtrace_hdl_t *h, const dtrace_probedesc_t *pattern, dtrace_probe_f *f, void *arg)
{
	struct probes s = {h, pattern, f, arg, false, 0};
	int err = dtrace_probe_each(h->d, false, visit_probe, &s);

	if (err && !s.r)
		return classic_failed(h, err);
	return s.any ? s.r : classic_fail(h, CLASSIC_NOPROBE);
}

static int keep_probe(dtrace_hdl_t *h, const dtrace_probedesc_t *p, void *arg)
{
	*(dtrace_probedesc_t *)arg = *p;
	return 0;
}

int dtrace_id2desc(dtrace_hdl_t *h, dtrace_id_t id, dtrace_probedesc_t *out)
{
	const dtrace_probedesc_t want = {.dtpd_id = id};

	if (id && !dtrace_probe_iter(h, &want, keep_probe, out))
		return 0;
	return classic_fail(h, CLASSIC_BADID);
}

/* ---- processes ---- */

/* We need its end only. */
static struct ps_prochandle *add_process(dtrace_hdl_t *h, pid_t pid)
{
	struct ps_prochandle *p = calloc(1, sizeof(*p));

	if (!p) {
		classic_fail(h, CLASSIC_NOMEM);
		return NULL;
	}
	p->pid = pid;
	p->fd = (int)syscall(SYS_pidfd_open, pid, 0);
	p->next = h->procs;
	h->procs = p;
	return p;
}

struct ps_prochandle *dtrace_proc_create(dtrace_hdl_t *h, const char *file, char *const *argv)
{
	size_t n = 0;
	pid_t pid = 0;
	char **args;
	int err;

	while (argv && argv[n])
		n++;
	args = calloc(n + 2, sizeof(*args));
	if (!args) {
		classic_fail(h, CLASSIC_NOMEM);
		return NULL;
	}
	for (size_t i = 1; i < n; i++)
		args[i] = argv[i];
	args[0] = (char *)file;
	err = dtrace_target_spawn(h->d, args, &pid);
	free(args);
	if (!err)
		return add_process(h, pid);
	classic_failed(h, err);
	return NULL;
}

struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *h, pid_t pid, int flags_)
{
	int err = dtrace_target_grab(h->d, pid);

	if (!err)
		return add_process(h, pid);
	classic_failed(h, err);
	return NULL;
}

void dtrace_proc_continue(dtrace_hdl_t *h, struct ps_prochandle *p)
{
}

void dtrace_proc_release(dtrace_hdl_t *h, struct ps_prochandle *p)
{
}

pid_t dtrace_proc_getpid(dtrace_hdl_t *h, struct ps_prochandle *p)
{
	return p->pid;
}

void classic_procs_poll(dtrace_hdl_t *h)
{
	for (struct ps_prochandle *p = h->procs; p; p = p->next) {
		struct pollfd fd = {.fd = p->fd, .events = POLLIN};

		if (p->fd < 0 || poll(&fd, 1, 0) != 1)
			continue;
		close(p->fd);
		p->fd = -1;
		if (h->on.proc)
			h->on.proc(p, NULL, h->on.proc_arg);
	}
}

void classic_procs_free(dtrace_hdl_t *h)
{
	while (h->procs) {
		struct ps_prochandle *p = h->procs;

		h->procs = p->next;
		if (p->fd >= 0)
			close(p->fd);
		free(p);
	}
}

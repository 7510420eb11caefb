// SPDX-License-Identifier: Apache-2.0
/* Turns option values into the settings of the compiler and of the outputs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "ir/target.h"
#include "load/load.h"
#include "print/print.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/sema.h"
#include "session/filters.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/sizes.h"

#define SCRATCH_MOST (1 << 20)	 /* bytes */
#define SENT_AGGSIZE (512 << 10) /* option aggsize where rows are sent, unless it is set */

static uint32_t whole_words(int64_t n)
{
	return ((uint32_t)n + 7) & ~7u;
}

/* Returns option ID in bytes if it is within 1 .. MOST, else the option's default; whole words. */
static uint32_t size_or(const struct dtrace *d, enum option_id id, int64_t most, uint32_t otherwise)
{
	int64_t n = options_number(d->opts, id);

	return n <= 0 || n > most ? otherwise : whole_words(n);
}

static uint32_t scratch_size(const struct dtrace *d)
{
	int64_t n = options_number(d->opts, OPT_scratchsize);

	return n > SCRATCH_MOST ? SCRATCH_MOST : whole_words(n);
}

static uint32_t print_size(const struct dtrace *d)
{
	return target_print_size(options_number(d->opts, OPT_printsize));
}

#define UFRAMES_DEFAULT 2048

/* User stacks are walked by programs of ours. */
static uint32_t max_user_frames(const struct dtrace *d)
{
	int64_t set = options_number(d->opts, OPT_maxframes);

	return set <= 0 ? UFRAMES_DEFAULT : set < FRAMES_MOST ? (uint32_t)set : FRAMES_MOST;
}

/* kernel.perf_event_max_stack bounds what bpf_get_stack() can give (sysctl/kernel.rst) */
static uint32_t max_frames(const struct dtrace *d)
{
	int64_t set = options_number(d->opts, OPT_maxframes);
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_stack", "r");
	int64_t most = 127;
	long v;

	if (f) {
		if (fscanf(f, "%ld", &v) == 1 && v > 0 && v < 4096)
			most = v;
		fclose(f);
	}
	return (uint32_t)(set > 0 && set < most ? set : most);
}

static struct attributes least_attributes(const struct dtrace *d)
{
	int64_t n = options_number(d->opts, OPT_amin);

	return (struct attributes){(uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
}

static struct sema_config language(const struct dtrace *d)
{
	const struct options *o = d->opts;

	return (struct sema_config){
		.strsize = (uint32_t)options_number(o, OPT_strsize),
		.stackframes = (uint32_t)options_number(o, OPT_stackframes),
		.ustackframes = (uint32_t)options_number(o, OPT_ustackframes),
		.jstackframes = (uint32_t)options_number(o, OPT_jstackframes),
		.maxframes = d->settings.language.maxframes,
		.maxuframes = d->settings.language.maxuframes,
		.zdefs = options_on(o, OPT_zdefs),
		.allow_empty = options_on(o, OPT_empty),
		.argref = options_on(o, OPT_argref),
		.no_extensions = options_on(o, OPT_noextensions),
		.scratchsize = scratch_size(d),
		.loopbound = (uint32_t)options_number(o, OPT_loopbound),
		.has_amin = options_given(o, OPT_amin),
		.amin = least_attributes(d),
		.version = options_given(o, OPT_version) ? (uint32_t)options_number(o, OPT_version)
							 : 0,
	};
}

/* Reading an aggregation takes time for each key that it has room for, used or not. */
static uint64_t aggregation_size(const struct dtrace *d)
{
	int64_t size = options_number(d->opts, OPT_aggsize);

	if (!options_given(d->opts, OPT_aggsize) && sinks_send(d) && size > SENT_AGGSIZE)
		size = SENT_AGGSIZE;
	return (uint64_t)size;
}

static struct target target(const struct dtrace *d)
{
	const struct options *o = d->opts;
	const struct sema_config *language = &d->settings.language;

	return (struct target){
		.ncpus = d->settings.target.ncpus,
		.page = (uint32_t)sysconf(_SC_PAGESIZE),
		.in_cgroup = d->settings.target.in_cgroup,
		.in_pidns = d->settings.target.in_pidns,
		.own_pidns = d->settings.target.own_pidns,
		.self = d->settings.target.self,
		.cpu = options_number(o, OPT_cpu),
		.strsize = language->strsize,
		.scratchsize = language->scratchsize,
		.loopbound = language->loopbound,
		.maxframes = language->maxframes,
		.maxuframes = language->maxuframes,
		.nspec = (uint32_t)options_number(o, OPT_nspec),
		.pcapsize = size_or(d, OPT_pcapsize, 65535, 1520),
		.printsize = print_size(d),
		.policy = (enum buffer_policy)options_number(o, OPT_bufpolicy),
		.times = sinks_want_time(d),
		.threads = sinks_want_thread(d),
		.demangle = options_on(o, OPT_demangle),
		.errexit = options_on(o, OPT_errexit),
		.bufsize = (uint64_t)options_number(o, OPT_bufsize),
		.aggsize = aggregation_size(d),
		.dynvarsize = (uint64_t)options_number(o, OPT_dynvarsize),
		.specsize = (uint64_t)options_number(o, OPT_specsize),
		.aggpercpu = options_on(o, OPT_aggpercpu),
		.aggsize_given = options_given(o, OPT_aggsize),
		.bufsize_given = options_given(o, OPT_bufsize),
	};
}

static void refresh_listings(struct dtrace *d)
{
	int64_t stages = options_number(d->opts, OPT_dump), listings = 0;

	if (options_on(d->opts, OPT_verbose))
		listings = options_number(d->opts, OPT_disasm);
	d->settings.dump.ast = stages & DUMP_AST || options_number(d->opts, OPT_tree) & TREE_PARSE;
	d->settings.dump.ir = stages & DUMP_IR || listings & DISASM_CLAUSE;
	d->settings.dump.programs = stages & DUMP_BPF || listings;
	d->settings.dump.functions = stages & DUMP_BPF || listings & DISASM_PROGRAM;
}

static enum print_encoding encoding(const struct dtrace *d)
{
	static const char *const plain[] = {"sun", "sun-color", "dumb"};
	const char *term = getenv("TERM");

	if (options_given(d->opts, OPT_encoding))
		return options_on(d->opts, OPT_encoding) ? PRINT_UTF8 : PRINT_ASCII;
	for (size_t i = 0; term && i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(term, plain[i]))
			return PRINT_ASCII;
	return PRINT_ANY;
}

static struct print_options output_options(const struct dtrace *d)
{
	const struct options *o = d->opts;

	return (struct print_options){
		.quiet = options_on(o, OPT_quiet),
		.flowindent = options_on(o, OPT_flowindent),
		.rawbytes = options_on(o, OPT_rawbytes),
		.noresolve = options_on(o, OPT_noresolve),
		.demangle = options_on(o, OPT_demangle),
		.ustackline = options_on(o, OPT_ustackline),
		.ustackinline = options_on(o, OPT_ustackinline),
		.agghist = options_on(o, OPT_agghist),
		.aggpack = options_on(o, OPT_aggpack),
		.aggzoom = options_on(o, OPT_aggzoom),
		.encoding = encoding(d),
		.width = options_number(o, OPT_width) > 0 ? (uint32_t)options_number(o, OPT_width)
							  : 0,
		.stackindent = (uint32_t)options_number(o, OPT_stackindent),
		.printsize = print_size(d),
		.noprefix = options_on(o, OPT_noprefix),
		.termsafe = options_on(o, OPT_termsafe),
	};
}

void settings_refresh(struct dtrace *d)
{
	struct compile_settings *s = &d->settings;

	s->language = language(d);
	s->target = target(d);
	s->returns = (enum return_places)options_number(d->opts, OPT_returns);
	s->follow = options_on(d->opts, OPT_follow) && !options_on(d->opts, OPT_followlate);
	s->force = options_on(d->opts, OPT_force);
	s->defaultargs = options_on(d->opts, OPT_defaultargs);
	s->pspec = options_on(d->opts, OPT_pspec);
	s->nolibs = options_on(d->opts, OPT_nolibs);
	s->syslibdir = options_string(d->opts, OPT_syslibdir);
	s->errtags = options_on(d->opts, OPT_errtags);
	s->explain = options_on(d->opts, OPT_explain);
	refresh_listings(d);
	d->report.debug = options_on(d->opts, OPT_debug);
	d->tracing.outopts = output_options(d);
}

/* ---- a program ---- */

static void add(struct dtrace *d, const char *fmt, const char *arg)
{
	vec_push(d->arena, &d->settings.cpp, arena_printf(d->arena, fmt, arg));
}

static void add_words(struct dtrace *d, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, " \t");

		if (n)
			vec_push(d->arena, &d->settings.cpp, arena_strndup(d->arena, words, n));
		words += n + (words[n] != '\0');
	}
}

/* Add cpp's arguments in the order in which they were given. */
static void add_user_arguments(struct dtrace *d)
{
	uint32_t n;
	const struct option_item *items = options_items(d->opts, &n);

	for (uint32_t i = 0; i < n; i++) {
		switch (items[i].id) {
		case OPT_define:
			add(d, "-D%s", items[i].value);
			break;
		case OPT_undef:
			add(d, "-U%s", items[i].value);
			break;
		case OPT_incdir:
			add(d, "-I%s", items[i].value);
			break;
		case OPT_cppargs:
			add_words(d, items[i].value);
			break;
		default:
			break;
		}
	}
}

static void refresh_preprocessor(struct dtrace *d)
{
	static const char *const fixed[] = {"-D__linux", "-D__Linux", "-D__unix", "-D__SVR4",
		"-D__SUNW_D=1", "-U__GNUC__",
		/* glibc takes attributes away, and with them packed layouts, from compilers that it
		   does not know */
		"-D__clang__", "-D__SUNW_D_64"};
	uint32_t version = options_given(d->opts, OPT_version)
		? (uint32_t)options_number(d->opts, OPT_version)
		: dversion_newest();

	d->settings.cpp.len = 0;
	if (!options_on(d->opts, OPT_cpp))
		return;
	add(d, "%s", options_string(d->opts, OPT_cpppath));
	for (unsigned i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(d, "%s", fixed[i]);
	add(d, "-D__SUNW_D_VERSION=%s", arena_printf(d->arena, "0x%08x", version));
	add_user_arguments(d);
	if (options_on(d->opts, OPT_cpphdrs))
		add(d, "%s", "-H");
	add(d, "%s", options_number(d->opts, OPT_stdc) == STDC_S ? "-traditional-cpp" : "-std=c99");
	add(d, "%s", "-");
}

void settings_for_program(struct dtrace *d)
{
	const char *dir;

	d->settings.language.maxframes = max_frames(d);
	d->settings.language.maxuframes = max_user_frames(d);
	settings_refresh(d);
	refresh_preprocessor(d);
	d->settings.libdirs.len = 0;
	for (uint32_t i = 0; (dir = options_nth(d->opts, OPT_libdir, i)); i++)
		vec_push(d->arena, &d->settings.libdirs, dir);
}

int settings_pragma(
	void *arg, const char *name, const char *value, const char **text, const char **hint)
{
	struct dtrace *d = arg;
	int err = options_set(d->opts, name, value, FROM_PRAGMA, d->phase == PHASE_TRACING, text);

	if (err)
		*hint = options_hint(d->opts, name, err);
	else
		settings_for_program(d);
	return err;
}

/* ---- this machine ---- */

int settings_for_machine(struct dtrace *d)
{
	int ncpus = load_cpus();

	if (ncpus <= 0)
		return report_error(&d->report, ncpus ? ncpus : -ENOENT,
			"cannot tell how many CPUs there are: mount sysfs on /sys");
	d->settings.target.ncpus = (uint32_t)ncpus;
	d->settings.language.maxframes = max_frames(d);
	d->settings.language.maxuframes = max_user_frames(d);
	sizes_limit(d, (uint32_t)ncpus);
	settings_refresh(d);
	return filters_resolve(d, &d->settings.target);
}

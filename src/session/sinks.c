// SPDX-License-Identifier: Apache-2.0
/* Opens the outputs and consumers of a session and passes results to all of them. */
#include "session/sinks.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/report.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/vec.h"
#include "compile/image.h"
#include "dtrace/dtrace.h"
#include "formats/file.h"
#include "pictures/heat_gather.h"
#include "print/output.h"
#include "decode/datum.h"
#include "decode/sink.h"
#include "session/formats.h"
#include "session/limits.h"
#include "session/options.h"
#include "session/session.h"
#include "session/tracing.h"
#include "web/web.h"

void dtrace_format_each(void (*visit)(void *arg, const char *name, const char *help), void *arg)
{
	for (const struct writer_format *f = writer_formats; f->name; f++)
		if (!f->hidden)
			visit(arg, f->name, f->help);
}

const char *dtrace_format_address(const char *format)
{
	const struct writer_format *f = format_find(format);

	return f ? f->address : NULL;
}

/* Returns the format of request R: option oformat replaces text. */
static const char *format_of(const struct dtrace *d, const struct output_request *r)
{
	static const struct {
		enum option_oformat word;
		const char *format;
	} documents[] = {
		{OFORMAT_JSON, "oformat-json"},
		{OFORMAT_XML, "oformat-xml"},
		{OFORMAT_HTML, "oformat-html"},
	};
	int64_t words = options_number(d->opts, OPT_oformat);

	if (r->format && !strcmp(r->format, "text"))
		for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
			if (words & documents[i].word)
				return documents[i].format;
	return r->format;
}

bool sinks_is_text(const struct dtrace *d, const struct output_request *r)
{
	return r->format && !strcmp(format_of(d, r), "text");
}

static bool has_text(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++)
		if (sinks_is_text(d, &d->tracing.outputs.data[i]))
			return true;
	return false;
}

bool sinks_compare(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format && format_find(r->format)->compares)
			return true;
	}
	return false;
}

/* Notes the request R for FORMAT: 0 or an error. */
static int add_request(struct dtrace *d, const char *format, struct output_request *r,
	const struct writer_format **found)
{
	const struct writer_format *f = format_find(format);

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	if (!f)
		return report_error(&d->report, -EINVAL, "there is no output format %s", format);
	if (!f->open && has_text(d))
		return report_error(
			&d->report, -EINVAL, "there can be only one output of format text");
	r->format = f->name;
	r->ending = "";
	*found = f;
	return 0;
}

static int add_output(struct dtrace *d, const char *format, FILE *out)
{
	struct output_request r = {.out = out};
	const struct writer_format *f;
	int err = add_request(d, format, &r, &f);

	if (err)
		return err;
	if (f->address)
		return report_error(&d->report, -EOPNOTSUPP,
			"output of format %s is sent to an address", format);
	if (f->endings)
		r.ending = arena_strndup(d->arena, f->endings, strcspn(f->endings, " "));
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}

int dtrace_output_add(struct dtrace *d, const char *format, FILE *out)
{
	return SESSION_TRY(d, add_output(d, format, out));
}

/* Returns the one of ENDINGS that PATH ends in, "" if any will do; NULL: none. */
static const char *ending_of(struct dtrace *d, const char *path, const char *endings)
{
	const char *dot = strrchr(path, '.');

	if (!*endings)
		return endings;
	for (const char *e = endings; dot && *e; e += strcspn(e, " "), e += *e == ' ') {
		size_t len = strcspn(e, " ");

		if (len == strlen(dot + 1) && !strncmp(e, dot + 1, len))
			return arena_strndup(d->arena, e, len);
	}
	return NULL;
}

static bool ends_with_slash(const char *path)
{
	size_t len = strlen(path);

	return len && path[len - 1] == '/';
}

/* Makes the folder PATH unless it is there: 0 or -errno. */
static int make_folder(const char *path)
{
	struct stat st;

	if (!mkdir(path, 0777))
		return 0;
	if (errno != EEXIST)
		return -errno;
	if (stat(path, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return access(path, W_OK | X_OK) ? -errno : 0;
}

static void discard_file(void *file)
{
	out_file_discard(file);
}

static int add_file(struct dtrace *d, const char *format, const char *path)
{
	struct output_request r = {0};
	const struct writer_format *f;
	int err = add_request(d, format, &r, &f);
	char host[WEB_HOST];
	uint16_t port;

	if (err)
		return err;
	if (f->address) {
		r.address = arena_strdup(d->arena, path);
		r.helper = f->sends;
		vec_push(d->arena, &d->tracing.outputs, r);
		return 0;
	}
	if (f->listens && web_parse_address(path, host, &port)) {
		r.address = arena_strdup(d->arena, path);
		r.helper = true;
		d->tracing.web = true;
		vec_push(d->arena, &d->tracing.outputs, r);
		return 0;
	}
	if (f->folders && ends_with_slash(path)) {
		err = make_folder(path);
		if (err)
			return report_error(&d->report, err,
				"failed to make output folder '%s': %s", path, strerror(-err));
		r.folder = arena_strdup(d->arena, path);
		vec_push(d->arena, &d->tracing.outputs, r);
		return 0;
	}
	if (!f->endings)
		return report_error(&d->report, -EOPNOTSUPP,
			"output of format %s is written as the results come", format);
	r.ending = ending_of(d, path, f->endings);
	if (!r.ending)
		return report_error(&d->report, -EINVAL,
			"--output=%s: the name of the file must end in one of: %s", format,
			f->endings);
	err = out_file_open(path, &r.file);
	if (err)
		return report_error(&d->report, err, "failed to open output file '%s': %s", path,
			strerror(-err));
	r.out = out_file_stream(r.file);
	arena_own(d->arena, discard_file, r.file);
	r.path = arena_strdup(d->arena, path);
	vec_push(d->arena, &d->tracing.outputs, r);
	arena_disown(d->arena, r.file);
	return 0;
}

int dtrace_output_file(struct dtrace *d, const char *format, const char *path)
{
	return SESSION_TRY(d, add_file(d, format, path));
}

static int add_consumer(struct dtrace *d, const struct dtrace_consumer *c)
{
	struct output_request r = {.consumer = *c};

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}

int dtrace_consumer_add(struct dtrace *d, const struct dtrace_consumer *c)
{
	return SESSION_TRY(d, add_consumer(d, c));
}

bool sinks_want_time(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format ? strcmp(format_of(d, r), "text") != 0 : r->consumer.want_time)
			return true;
	}
	return false;
}

bool sinks_send(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format && format_find(r->format)->sends)
			return true;
	}
	return false;
}

bool sinks_want_thread(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];
		const struct writer_format *f = r->format ? format_find(format_of(d, r)) : NULL;

		if (f ? f->threads : r->consumer.want_thread)
			return true;
	}
	return false;
}

/* True if an output other than text goes to the standard output. */
static bool stdout_taken(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format && r->out && strcmp(format_of(d, r), "text") &&
			fileno(r->out) == STDOUT_FILENO)
			return true;
	}
	return false;
}

static void free_sink(void *arg)
{
	struct sink *s = arg;

	sink_free(s);
}

static int add_sink(struct dtrace *d, struct sink *s)
{
	if (!s)
		return -ENOMEM;
	arena_own(d->arena, free_sink, s);
	vec_push(d->arena, &d->tracing.sinks, s);
	arena_disown(d->arena, s);
	return 0;
}

static int add_text(struct dtrace *d, FILE *out)
{
	struct sink *s = sink_text_new(&d->tracing.env, out);

	if (s)
		d->tracing.text = sink_text_output(s);
	return add_sink(d, s);
}

static bool any_datum(const struct datum *data, uint32_t n, bool (*is)(const struct datum *d))
{
	for (uint32_t i = 0; i < n; i++)
		if (is(&data[i]))
			return true;
	return false;
}

/* True if a record, or the key of an aggregation, has a datum that IS one of those asked for. */
static bool shows(const struct dtrace *d, bool (*is)(const struct datum *d))
{
	const struct image *l = d->image;

	for (uint32_t i = 0; i < l->naggs; i++)
		if (l->aggs[i] && any_datum(l->aggs[i]->keys, l->aggs[i]->nkeys, is))
			return true;
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t k = 0; l->recs[i] && k < l->recs[i]->nactions; k++)
			if (any_datum(
				    l->recs[i]->actions[k].data, l->recs[i]->actions[k].ndata, is))
				return true;
	return false;
}

static bool has_distribution(const struct dtrace *d)
{
	const struct image *l = d->image;

	for (uint32_t i = 0; i < l->naggs; i++)
		if (l->aggs[i] && agg_is_distribution(l->aggs[i]))
			return true;
	return false;
}

static bool is_time(const struct datum *d)
{
	return d->kind == DATUM_INT && d->type && heat_is_time(d->type);
}

/* True if a count() or a sum() has a key that is a time. */
static bool has_times(const struct dtrace *d)
{
	const struct image *l = d->image;

	for (uint32_t i = 0; i < l->naggs; i++) {
		const struct agg_desc *a = l->aggs[i];

		if (a && (a->func == AGG_count || a->func == AGG_sum) &&
			any_datum(a->keys, a->nkeys, is_time))
			return true;
	}
	return false;
}

/* Reports error ERR of the output that R asked for, and returns it. */
static int output_error(struct dtrace *d, const struct output_request *r, int err)
{
	const char *problem = d->tracing.problem;

	d->tracing.problem = NULL;
	if (r->path && !problem)
		return report_error(
			&d->report, err, "failed to write to %s: %s", r->path, strerror(-err));
	return report_error(&d->report, err, "%s: %s", r->format ? r->format : "output",
		problem ? problem : strerror(-err));
}

int sinks_failed(struct dtrace *d, int err)
{
	const struct output *o = d->tracing.text;

	if (o && o->failed && o->path)
		return report_error(
			&d->report, err, "failed to write to %s: %s", o->path, strerror(-err));
	if (d->tracing.failing && d->tracing.failing->path && !d->tracing.problem)
		return output_error(d, d->tracing.failing, err);
	return report_error(
		&d->report, err, "%s", d->tracing.problem ? d->tracing.problem : strerror(-err));
}

static void say(void *arg, const char *text)
{
	struct dtrace *d = arg;

	report_message(&d->report, "%s", text);
}

/* Returns the name of the D program: option program, or the first script's without its ending. */
static const char *program_name(struct dtrace *d)
{
	const char *name = options_string(d->opts, OPT_program);
	const char *script = d->script, *slash, *dot;

	if (name)
		return name;
	if (!script)
		return "dtrace";
	slash = strrchr(script, '/');
	script = slash ? slash + 1 : script;
	dot = strrchr(script, '.');
	return arena_strndup(
		d->arena, script, dot && dot > script ? (size_t)(dot - script) : strlen(script));
}

struct writer_about sinks_about(struct dtrace *d)
{
	struct writer_about about = {.command = d->command, .time = (uint64_t)time(NULL)};
	char *host = arena_alloc(d->arena, HOST_NAME_MAX + 1);

	if (d->script) {
		about.name = program_name(d);
		about.program = d->script;
	} else {
		about.program = d->text;
	}
	memset(host, 0, HOST_NAME_MAX + 1);
	if (!gethostname(host, HOST_NAME_MAX))
		about.host = host;
	return about;
}

static const struct writer_sending *sending(struct dtrace *d)
{
	struct writer_sending *w = arena_new_obj(d->arena, struct writer_sending);

	*w = (struct writer_sending){
		.interval = (uint64_t)options_number(d->opts, OPT_interval),
		.batch = (uint64_t)options_number(d->opts, OPT_sendrate),
		.limit = (uint64_t)options_number(d->opts, OPT_sendlimit),
		.program = program_name(d),
		.credentials = options_string(d->opts, OPT_credentials),
		.authority = options_string(d->opts, OPT_cafile),
		.spool = options_string(d->opts, OPT_spool),
		.spool_bytes = (uint64_t)options_number(d->opts, OPT_spoolsize),
		.spool_age = (uint64_t)options_number(d->opts, OPT_spoolage),
		.rate = limits_bound(&d->limits, LIMIT_rate).by
			? limits_bound(&d->limits, LIMIT_rate).most
			: UINT64_MAX,
	};
	return w;
}

struct writer *sinks_writer(struct dtrace *d)
{
	struct writer *w = vec_add(d->arena, &d->tracing.writers);

	*w = (struct writer){0};
	return w;
}

int sinks_consumer(struct dtrace *d, const struct output_request *r, struct writer_info *info,
	struct dtrace_consumer *c)
{
	const struct writer_format *f;
	struct writer *w;
	int err;

	if (!r->format) {
		*c = r->consumer;
		return 0;
	}
	f = format_find(format_of(d, r));
	info->pretty = options_number(d->opts, OPT_oformat) & OFORMAT_PRETTY;
	info->flow = options_on(d->opts, OPT_flowindent);
	info->options = view_options(d);
	info->interval = options_given(d->opts, OPT_aggrate)
		? (uint64_t)options_number(d->opts, OPT_aggrate)
		: f->interval;
	info->sending = f->sends ? sending(d) : NULL;
	info->path = r->file ? out_file_path(r->file) : r->folder ? r->folder : r->address;
	info->listens = f->listens && r->address;
	info->format = r->format;
	info->ending = r->ending;
	info->say = say;
	info->say_arg = d;
	info->problem = &d->tracing.problem;
	w = sinks_writer(d);
	err = f->open(r->out, info, w);
	if (err) {
		d->tracing.writers.len--;
		return output_error(d, r, err);
	}
	*c = w->consumer;
	return 0;
}

static int open_request(struct dtrace *d, const struct output_request *r)
{
	struct writer_info info = {
		.version = dtrace_version(),
		.about = sinks_about(d),
		.no_stacks = !shows(d, datum_is_stack),
		.no_distributions = !has_distribution(d),
		.no_times = !has_times(d),
	};
	struct dtrace_consumer c;
	struct sink *s;
	int err;

	if (sinks_is_text(d, r))
		return add_text(d, r->out);
	err = sinks_consumer(d, r, &info, &c);
	if (err)
		return err;
	s = sink_new(
		&d->tracing.env, &c, r->format ? vec_last(&d->tracing.writers).changing : NULL);
	return add_sink(d, s);
}

int sinks_open(struct dtrace *d)
{
	int err = 0;

	d->tracing.env.stdout_taken = stdout_taken(d);
	for (uint32_t i = 0; i < d->tracing.outputs.len && !err; i++)
		err = open_request(d, &d->tracing.outputs.data[i]);
	return err ? err : view_older(d);
}

void sinks_free(struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.sinks.len; i++)
		sink_free(d->tracing.sinks.data[i]);
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		out_file_discard(d->tracing.outputs.data[i].file);
		d->tracing.outputs.data[i].file = NULL;
	}
	for (uint32_t i = 0; i < d->tracing.writers.len; i++)
		if (d->tracing.writers.data[i].release)
			d->tracing.writers.data[i].release(d->tracing.writers.data[i].consumer.arg);
	d->tracing.sinks.len = d->tracing.writers.len = 0;
}

/* each output has one sink */
#define EACH_SINK(d, op, ...)                                                          \
	do {                                                                           \
		for (uint32_t i_ = 0; i_ < (d)->tracing.sinks.len; i_++) {             \
			struct sink *s_ = (d)->tracing.sinks.data[i_];                 \
			int err_ = sink_##op(s_, ##__VA_ARGS__);                       \
                                                                                       \
			if (err_) {                                                    \
				(d)->tracing.failing = &(d)->tracing.outputs.data[i_]; \
				return err_;                                           \
			}                                                              \
		}                                                                      \
		return 0;                                                              \
	} while (0)

int sinks_begin(struct dtrace *d, const struct event *ev)
{
	EACH_SINK(d, begin, ev);
}

int sinks_action(struct dtrace *d, const struct event *ev, uint32_t i)
{
	EACH_SINK(d, action, ev, i);
}

int sinks_end(struct dtrace *d, const struct event *ev)
{
	EACH_SINK(d, end, ev);
}

int sinks_table(struct dtrace *d, const struct event *ev, uint32_t i, const struct agg_table *t)
{
	EACH_SINK(d, table, ev, i, t);
}

bool sinks_follow(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.writers.len; i++)
		if (d->tracing.writers.data[i].changing)
			return true;
	return false;
}

int sinks_changing(struct dtrace *d, const struct agg_table *t, bool after)
{
	EACH_SINK(d, changing, t, after);
}

int sinks_drop(struct dtrace *d, const struct drop *drop)
{
	EACH_SINK(d, drop, drop);
}

int sinks_fault(struct dtrace *d, const struct fault *f)
{
	EACH_SINK(d, fault, f);
}

int sinks_newline(struct dtrace *d)
{
	EACH_SINK(d, newline);
}

int sinks_commit(struct dtrace *d, struct output_request *r, int err)
{
	if (!err && r->file) {
		err = out_file_commit(r->file);
		r->file = NULL;
	}
	return err ? output_error(d, r, err) : 0;
}

int sinks_finish(struct dtrace *d)
{
	int err = 0;

	/* the others are still complete if one failed */
	for (uint32_t i = 0; i < d->tracing.sinks.len; i++) {
		struct sink *s = d->tracing.sinks.data[i];
		int failed = sink_finish(s);

		failed = sinks_commit(d, &d->tracing.outputs.data[i], failed);
		err = err ? err : failed;
	}
	return err;
}

int sinks_flush(struct dtrace *d)
{
	EACH_SINK(d, flush);
}

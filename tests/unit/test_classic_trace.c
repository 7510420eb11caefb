// SPDX-License-Identifier: Apache-2.0
/*
 * The classic interface at work, as root: callbacks, handlers, aggregations.  Nothing fires but
 * for this process.
 * @ref output 8.1 printa-newline
 */
#include <dtrace.h>

#include "test.h"

#include <errno.h>
#include <unistd.h>

/* The calls of callbacks and handlers, a line each. */
static char *told;
static size_t told_len;
static FILE *notes;

static void tell_begin(void)
{
	notes = open_memstream(&told, &told_len);
}

static void tell_end(const char *want, const char *file, int line)
{
	fclose(notes);
	test_check_str(told, want, file, line, "what was told");
	free(told);
	told = NULL;
}

#define TOLD(want) tell_end(want, __FILE__, __LINE__)

/* The answers of the callbacks. */
static int probe_says, record_says, handler_says;

static int on_probe(const dtrace_probedata_t *data, void *arg)
{
	CHECK_STR(arg, "arg");
	CHECK_INT(data->dtpda_pdesc->dtpd_id, data->dtpda_edesc->dtepd_probeid);
	CHECK(data->dtpda_cpu >= 0);
	fprintf(notes, "%s epid %u, %d records\n", data->dtpda_pdesc->dtpd_name,
		data->dtpda_edesc->dtepd_epid, data->dtpda_edesc->dtepd_nrecs);
	return probe_says;
}

static int on_record(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (!rec) {
		fprintf(notes, "end\n");
		return record_says;
	}
	fprintf(notes, "action %#x format %u size %u", rec->dtrd_action, rec->dtrd_format,
		rec->dtrd_size);
	if (rec->dtrd_size == 4)
		fprintf(notes, ": %d", *(int *)data->dtpda_data);
	else if (rec->dtrd_size == 8)
		fprintf(notes, ": %lld", *(long long *)data->dtpda_data);
	else if (rec->dtrd_size)
		fprintf(notes, ": \"%s\"", data->dtpda_data);
	fprintf(notes, "\n");
	return record_says;
}

static int on_text(const dtrace_bufdata_t *data, void *arg)
{
	fprintf(notes, "[%s]", data->dtbda_buffered);
	if (data->dtbda_flags)
		fprintf(notes, " flags %#x", data->dtbda_flags);
	if (data->dtbda_probe && data->dtbda_recdesc)
		fprintf(notes, " of %s action %#x", data->dtbda_probe->dtpda_pdesc->dtpd_name,
			data->dtbda_recdesc->dtrd_action);
	if (data->dtbda_aggdata)
		fprintf(notes, " @%s", data->dtbda_aggdata->dtada_desc->dtagd_name);
	fprintf(notes, "\n");
	return handler_says;
}

static dtrace_hdl_t *start(const char *text, const char *option, const char *value)
{
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, NULL);
	dtrace_prog_t *p;

	CHECK(h);
	if (!h)
		exit(test_done());
	CHECK_INT(dtrace_setopt(h, "strsize", "16"), 0);
	if (option)
		CHECK_INT(dtrace_setopt(h, option, value), 0);
	p = dtrace_program_strcompile(h, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		printf("%s\n", dtrace_errmsg(h, dtrace_errno(h)));
	CHECK(p && !dtrace_program_exec(h, p, NULL));
	return h;
}

static int go(dtrace_hdl_t *h)
{
	int err = dtrace_go(h);

	CHECK_INT(err, 0);
	if (err)
		printf("\t%s\n", dtrace_errmsg(h, dtrace_errno(h)));
	return err;
}

static dtrace_workstatus_t work(dtrace_hdl_t *h, FILE *fp)
{
	char arg[] = "arg";
	dtrace_workstatus_t s = DTRACE_WORKSTATUS_OKAY;

	while (s == DTRACE_WORKSTATUS_OKAY) {
		dtrace_sleep(h);
		s = dtrace_work(h, fp, on_probe, on_record, arg);
	}
	return s;
}

/* ---- callbacks ---- */

static const char two[] = "BEGIN { trace(7); printf(\"%d-%s;\", 42, \"hello\"); exit(3); }"
			  "END { trace(\"bye\"); }";

static void test_buffered(void)
{
	dtrace_hdl_t *h = start(two, NULL, NULL);

	tell_begin();
	dtrace_handle_buffered(h, on_text, NULL);
	CHECK_INT(dtrace_status(h), DTRACE_STATUS_NONE);
	go(h);
	CHECK_INT(dtrace_status(h), DTRACE_STATUS_EXITED);
	CHECK_INT(dtrace_go(h), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Operation illegal when tracing is active");
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_DONE);
	CHECK_INT(dtrace_work(h, NULL, on_probe, on_record, NULL), DTRACE_WORKSTATUS_DONE);
	CHECK_INT(dtrace_stop(h), 0);
	dtrace_close(h);
	TOLD("BEGIN epid 1, 4 records\n"
	     "action 0x1 format 0 size 4: 7\n"
	     "[          7] of BEGIN action 0x1\n"
	     "action 0x3 format 1 size 4: 42\n"
	     "[42-hello;] of BEGIN action 0x3\n"
	     "action 0x2 format 0 size 4: 3\n"
	     "end\n"
	     "END epid 2, 1 records\n"
	     "action 0x1 format 0 size 16: \"bye\"\n"
	     "[  bye                              ] of END action 0x1\n"
	     "end\n");
}

/* To a stream, without the columns around it; the default action has no record. */
static void test_stream(void)
{
	dtrace_hdl_t *h =
		start("BEGIN { printf(\"a\"); } BEGIN { } BEGIN { exit(0); }", NULL, NULL);
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	tell_begin();
	dtrace_handle_buffered(h, on_text, NULL);
	go(h);
	CHECK_INT(work(h, f), DTRACE_WORKSTATUS_DONE);
	fclose(f);
	CHECK_STR(text, "a");
	free(text);
	dtrace_close(h);
	TOLD("BEGIN epid 1, 1 records\n"
	     "action 0x3 format 1 size 0\n"
	     "end\n"
	     "BEGIN epid 2, 0 records\n"
	     "end\n"
	     "BEGIN epid 3, 1 records\n"
	     "action 0x2 format 0 size 4: 0\n"
	     "end\n");
}

static void test_next(void)
{
	dtrace_hdl_t *h = start(two, NULL, NULL);

	probe_says = DTRACE_CONSUME_NEXT;
	tell_begin();
	dtrace_handle_buffered(h, on_text, NULL);
	go(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_DONE);
	dtrace_close(h);
	TOLD("BEGIN epid 1, 4 records\n"
	     "END epid 2, 1 records\n");
	probe_says = DTRACE_CONSUME_THIS;

	h = start("BEGIN { trace(7); exit(0); }", NULL, NULL);
	record_says = DTRACE_CONSUME_NEXT;
	tell_begin();
	dtrace_handle_buffered(h, on_text, NULL);
	go(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_DONE);
	dtrace_close(h);
	TOLD("BEGIN epid 1, 2 records\n"
	     "action 0x1 format 0 size 4: 7\n"
	     "action 0x2 format 0 size 4: 0\n"
	     "end\n");
	record_says = DTRACE_CONSUME_THIS;
}

static void test_abort(void)
{
	int *const says[] = {&probe_says, &record_says, &handler_says};
	const int what[] = {DTRACE_CONSUME_ABORT, DTRACE_CONSUME_ABORT, DTRACE_HANDLE_ABORT};

	for (int i = 0; i < 3; i++) {
		dtrace_hdl_t *h = start(two, NULL, NULL);

		*says[i] = what[i];
		tell_begin();
		dtrace_handle_buffered(h, on_text, NULL);
		go(h);
		CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_ERROR);
		CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Abort explicitly directed");
		dtrace_close(h);
		TOLD(i == 0 ? "BEGIN epid 1, 4 records\n"
				: i == 1
				? "BEGIN epid 1, 4 records\naction 0x1 format 0 size 4: 7\n"
				: "BEGIN epid 1, 4 records\naction 0x1 format 0 size 4: 7\n"
				  "[          7] of BEGIN action 0x1\n");
		*says[i] = 0;
	}
}

/* dtrace_stop(), not exit(): what END records comes with the next dtrace_work(). */
static void test_stop(void)
{
	dtrace_hdl_t *h = start("END { trace(\"bye\"); }", NULL, NULL);

	tell_begin();
	go(h);
	CHECK_INT(dtrace_status(h), DTRACE_STATUS_OKAY);
	CHECK_INT(dtrace_work(h, NULL, NULL, NULL, NULL), DTRACE_WORKSTATUS_OKAY);
	CHECK_INT(dtrace_stop(h), 0);
	CHECK_INT(dtrace_status(h), DTRACE_STATUS_STOPPED);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_DONE);
	dtrace_close(h);
	TOLD("END epid 1, 1 records\naction 0x1 format 0 size 16: \"bye\"\nend\n");
}

/* ---- handlers ---- */

static int on_fault(const dtrace_errdata_t *data, void *arg)
{
	fprintf(notes, "%s: action %d fault %d (%s) at %#llx\n%s\n", data->dteda_pdesc->dtpd_name,
		data->dteda_action, data->dteda_fault,
		dtrace_faultstr(data->dteda_handle, data->dteda_fault),
		(unsigned long long)data->dteda_addr, strchr(data->dteda_msg, '('));
	return handler_says;
}

static void test_fault(void)
{
	static const char text[] = "BEGIN { trace(*(int *)16); } BEGIN { exit(0); }";
	dtrace_hdl_t *h = start(text, NULL, NULL);

	tell_begin();
	go(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_ERROR);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Abort due to error");
	dtrace_close(h);
	TOLD("");

	h = start(text, NULL, NULL);
	tell_begin();
	dtrace_handle_err(h, on_fault, NULL);
	go(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_DONE);
	dtrace_close(h);
	TOLD("BEGIN: action 1 fault 1 (invalid address) at 0x10\n(dtrace:::BEGIN): invalid address "
	     "(0x10) in action #1 at line 1\n"
	     "BEGIN epid 2, 1 records\naction 0x2 format 0 size 4: 0\nend\n");

	h = start(text, NULL, NULL);
	handler_says = DTRACE_HANDLE_ABORT;
	tell_begin();
	dtrace_handle_err(h, on_fault, NULL);
	go(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_ERROR);
	dtrace_close(h);
	TOLD("BEGIN: action 1 fault 1 (invalid address) at 0x10\n"
	     "(dtrace:::BEGIN): invalid address (0x10) in action #1 at line 1\n");
	handler_says = DTRACE_HANDLE_OK;
}

/* An action that fails when it is carried out is told before the firing that it is in. */
static void test_library_fault(void)
{
	static const char text[] =
		"BEGIN { n = 0; } BEGIN { @a = count(); normalize(@a, n); exit(0); }";

	for (int abort = 0; abort < 2; abort++) {
		dtrace_hdl_t *h = start(text, NULL, NULL);

		handler_says = abort ? DTRACE_HANDLE_ABORT : DTRACE_HANDLE_OK;
		tell_begin();
		dtrace_handle_err(h, on_fault, NULL);
		/* BEGIN is consumed in dtrace_go(), but told by dtrace_work() */
		go(h);
		CHECK_INT(work(h, NULL), abort ? DTRACE_WORKSTATUS_ERROR : DTRACE_WORKSTATUS_DONE);
		dtrace_close(h);
		TOLD(abort ? "BEGIN: action 2 fault 1000 (library-level fault) at 0\n"
			     "(dtrace:::BEGIN): Invalid normalization in action #2 at line 1\n"
			   : "BEGIN: action 2 fault 1000 (library-level fault) at 0\n"
			     "(dtrace:::BEGIN): Invalid normalization in action #2 at line 1\n"
			     "BEGIN epid 2, 3 records\naction 0x5 format 0 size 8: 1\n"
			     "action 0x2 format 0 size 4: 0\nend\n");
	}
	handler_says = DTRACE_HANDLE_OK;
}

static int on_drop(const dtrace_dropdata_t *data, void *arg)
{
	fprintf(notes, "kind %d cpu %d: %llu of %llu\n%s\n", data->dtdda_kind, data->dtdda_cpu,
		(unsigned long long)data->dtdda_drops, (unsigned long long)data->dtdda_total,
		data->dtdda_msg);
	return DTRACE_HANDLE_OK;
}

static void test_drop(void)
{
	static const char text[] = "BEGIN { s = speculation(); t = speculation(); }";
	dtrace_hdl_t *h = start(text, "nspec", "1");

	tell_begin();
	go(h);
	dtrace_stop(h);
	CHECK_INT(work(h, NULL), DTRACE_WORKSTATUS_ERROR);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Abort due to drop");
	dtrace_close(h);
	fclose(notes);
	free(told);

	h = start(text, "nspec", "1");
	tell_begin();
	dtrace_handle_drop(h, on_drop, NULL);
	go(h);
	dtrace_stop(h);
	CHECK_INT(dtrace_consume(h, NULL, NULL, NULL, NULL), 0);
	dtrace_close(h);
	TOLD("kind 7 cpu -1: 1 of 1\n1 failed speculation (no speculative buffer available)\n");
}

static int on_option(const dtrace_setoptdata_t *data, void *arg)
{
	fprintf(notes, "%s: %s %lld -> %lld\n", data->dtsda_probe->dtpda_pdesc->dtpd_name,
		data->dtsda_option, (long long)data->dtsda_oldval, (long long)data->dtsda_newval);
	return DTRACE_HANDLE_OK;
}

static void test_setopt(void)
{
	dtrace_hdl_t *h =
		start("BEGIN { setopt(\"quiet\"); setopt(\"stackindent\", \"3\"); exit(0); }", NULL,
			NULL);

	tell_begin();
	dtrace_handle_setopt(h, on_option, NULL);
	go(h);
	while (dtrace_work(h, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY)
		;
	dtrace_close(h);
	TOLD("BEGIN: quiet -2 -> 1\nBEGIN: stackindent 14 -> 3\n");
}

static pid_t expected;

static void on_process(struct ps_prochandle *p, const char *msg, void *arg)
{
	CHECK(!msg);
	CHECK_INT(dtrace_proc_getpid(arg, p), expected);
	fprintf(notes, "ended\n");
}

/* An argument with blanks is one; the first process is $target; its end is the end of tracing. */
static void test_process(void)
{
	char *const argv[] = {(char *)"sh", (char *)"-c", (char *)"exit 0  ", NULL};
	char *const none[] = {(char *)"/no/such/program", NULL};
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, NULL);
	struct ps_prochandle *p;
	dtrace_prog_t *prog;
	char line[64];

	CHECK(!dtrace_proc_create(h, none[0], none));
	CHECK_INT(dtrace_errno(h), ENOENT);
	p = dtrace_proc_create(h, "sh", argv);
	CHECK(p);
	if (!p)
		return;
	expected = dtrace_proc_getpid(h, p);
	prog = dtrace_program_strcompile(
		h, "BEGIN { printf(\"%d\", $target); }", DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	CHECK(prog && !dtrace_program_exec(h, prog, NULL));
	dtrace_handle_proc(h, on_process, h);
	dtrace_handle_buffered(h, on_text, NULL);
	go(h);
	dtrace_proc_continue(h, p);
	tell_begin();
	while (dtrace_work(h, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(h);
	snprintf(line, sizeof(line), "[%d] of BEGIN action 0x3\nended\n", expected);
	dtrace_proc_release(h, p);
	dtrace_close(h);
	TOLD(line);
}

/* ---- aggregations ---- */

static const char several[] =
	"BEGIN { @s[\"b\", 2] = sum(2); @s[\"a\", -1] = sum(5); @s[\"a\", 1] = sum(-7);"
	"@c[\"b\", 1] = count(); @q = quantize(-3); @q = quantize(0); @q = quantize(5);"
	"@l = lquantize(7, 0, 10, 2); @v = avg(1); @v = avg(4); @d = stddev(3); @m = min(9);"
	"@ll = llquantize(15, 10, 0, 2, 10); exit(0); }";

static int agg_says;

static int on_key(const dtrace_aggdata_t *data, void *arg)
{
	const dtrace_aggdesc_t *d = data->dtada_desc;
	const dtrace_recdesc_t *v = &d->dtagd_rec[d->dtagd_nrecs - 1];
	const char *only = arg;

	if (only && strcmp(only, d->dtagd_name))
		return DTRACE_AGGWALK_NEXT;
	CHECK_INT(data->dtada_size, d->dtagd_size);
	CHECK_INT(*(int64_t *)(data->dtada_data + d->dtagd_rec[0].dtrd_offset), d->dtagd_varid);
	fprintf(notes, "@%s", d->dtagd_name);
	if (d->dtagd_nrecs == 4)
		fprintf(notes, "[%s, %d]", data->dtada_data + d->dtagd_rec[1].dtrd_offset,
			*(int *)(data->dtada_data + d->dtagd_rec[2].dtrd_offset));
	fprintf(notes, " %#x:", v->dtrd_action);
	for (uint32_t i = 0; i < v->dtrd_size / 8; i++) {
		int64_t n = ((int64_t *)(data->dtada_data + v->dtrd_offset))[i];

		if (v->dtrd_size <= 32)
			fprintf(notes, " %lld", (long long)n);
		else if (n)
			fprintf(notes, " [%u] %lld", i, (long long)n);
	}
	fprintf(notes, "\n");
	return agg_says;
}

static dtrace_hdl_t *aggregate(const char *option, const char *value)
{
	dtrace_hdl_t *h = start(several, option, value);

	go(h);
	while (dtrace_work(h, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY)
		;
	CHECK_INT(dtrace_aggregate_snap(h), 0);
	return h;
}

static void test_values(void)
{
	dtrace_hdl_t *h = aggregate(NULL, NULL);

	tell_begin();
	CHECK_INT(dtrace_aggregate_walk_valsorted(h, on_key, NULL), 0);
	dtrace_close(h);
	/* lquantize: levels 5, step 2; llquantize: (10, 0, 2, 10) */
	TOLD("@s[a, 1] 0x705: -7\n"
	     "@s[b, 2] 0x705: 2\n"
	     "@s[a, -1] 0x705: 5\n"
	     "@c[b, 1] 0x701: 1\n"
	     "@q 0x707: [61] 1 [63] 1 [66] 1\n"
	     "@l 0x708: [0] 562971428257792 [5] 1\n"
	     "@v 0x704: 2 5\n"
	     "@d 0x706: 1 3 9 0\n"
	     "@m 0x702: 9\n"
	     "@ll 0x709: [0] 2814749767237642 [11] 1\n");
}

static void check_walk(
	dtrace_hdl_t *h, dtrace_aggregate_walk_f *walk, char *only, const char *want, int line)
{
	tell_begin();
	CHECK_INT(walk(h, on_key, only), 0);
	tell_end(want, __FILE__, line);
}

#define WALK(walk, only, want) check_walk(h, walk, (char *)(only), want, __LINE__)

static void test_walks(void)
{
	static const char two_of_them[] = "BEGIN { @x[\"b\", 1] = sum(1); @x[\"a\", 1] = sum(3);"
					  "@y[\"a\", 1] = sum(2); exit(0); }";
	dtrace_hdl_t *h = aggregate(NULL, NULL);

	WALK(dtrace_aggregate_walk_valrevsorted, "s",
		"@s[a, -1] 0x705: 5\n@s[b, 2] 0x705: 2\n@s[a, 1] 0x705: -7\n");
	WALK(dtrace_aggregate_walk_keysorted, "s",
		"@s[a, -1] 0x705: 5\n@s[a, 1] 0x705: -7\n@s[b, 2] 0x705: 2\n");
	WALK(dtrace_aggregate_walk_keyrevsorted, "s",
		"@s[b, 2] 0x705: 2\n@s[a, 1] 0x705: -7\n@s[a, -1] 0x705: 5\n");
	dtrace_close(h);

	h = start(two_of_them, NULL, NULL);
	go(h);
	CHECK_INT(dtrace_aggregate_snap(h), 0);
	WALK(dtrace_aggregate_walk_keysorted, NULL,
		"@x[a, 1] 0x705: 3\n@x[b, 1] 0x705: 1\n@y[a, 1] 0x705: 2\n");
	WALK(dtrace_aggregate_walk_keyvarsorted, NULL,
		"@x[a, 1] 0x705: 3\n@y[a, 1] 0x705: 2\n@x[b, 1] 0x705: 1\n");
	WALK(dtrace_aggregate_walk_keyvarrevsorted, NULL,
		"@x[b, 1] 0x705: 1\n@y[a, 1] 0x705: 2\n@x[a, 1] 0x705: 3\n");
	WALK(dtrace_aggregate_walk_valvarsorted, NULL,
		"@x[b, 1] 0x705: 1\n@y[a, 1] 0x705: 2\n@x[a, 1] 0x705: 3\n");
	WALK(dtrace_aggregate_walk_valvarrevsorted, NULL,
		"@x[a, 1] 0x705: 3\n@y[a, 1] 0x705: 2\n@x[b, 1] 0x705: 1\n");
	dtrace_close(h);
}

static int one_only(const dtrace_aggdata_t *data, void *arg)
{
	return (*(int *)arg)++ ? DTRACE_AGGWALK_NEXT : DTRACE_AGGWALK_REMOVE;
}

static int normalize(const dtrace_aggdata_t *data, void *arg)
{
	if (*(int *)arg)
		((dtrace_aggdata_t *)data)->dtada_normal = 5;
	CHECK_INT(data->dtada_normal, *(int *)arg == 2 ? 1 : 5);
	return *(int *)arg ? DTRACE_AGGWALK_NORMALIZE : DTRACE_AGGWALK_DENORMALIZE;
}

static int is_plain(const dtrace_aggdata_t *data, void *arg)
{
	CHECK_INT(data->dtada_normal, 1);
	return DTRACE_AGGWALK_NEXT;
}

static void test_changes(void)
{
	dtrace_hdl_t *h = aggregate(NULL, NULL);
	int n = 0;

	/* some keys of @s only: refused, nothing is gone */
	CHECK_INT(dtrace_aggregate_walk(h, one_only, &n), -1);
	CHECK_INT(dtrace_errno(h), ENOTSUP);
	agg_says = DTRACE_AGGWALK_CLEAR;
	WALK(dtrace_aggregate_walk_valsorted, "s",
		"@s[a, 1] 0x705: -7\n@s[b, 2] 0x705: 2\n@s[a, -1] 0x705: 5\n");
	agg_says = DTRACE_AGGWALK_REMOVE;
	WALK(dtrace_aggregate_walk, "c", "@c[b, 1] 0x701: 1\n");
	agg_says = DTRACE_AGGWALK_NEXT;
	/* in this snapshot, and in the next one */
	for (int i = 0; i < 2; i++) {
		WALK(dtrace_aggregate_walk_keysorted, "s",
			"@s[a, -1] 0x705: 0\n@s[a, 1] 0x705: 0\n@s[b, 2] 0x705: 0\n");
		WALK(dtrace_aggregate_walk, "c", "");
		CHECK_INT(dtrace_aggregate_snap(h), 0);
	}
	agg_says = DTRACE_AGGWALK_ABORT;
	WALK(dtrace_aggregate_walk, "none", "");
	tell_begin();
	CHECK_INT(dtrace_aggregate_walk(h, on_key, NULL), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Abort explicitly directed");
	fclose(notes);
	free(told);
	agg_says = DTRACE_AGGWALK_NEXT;

	n = 1;
	CHECK_INT(dtrace_aggregate_walk(h, normalize, &n), 0);
	n = 0;
	CHECK_INT(dtrace_aggregate_walk(h, normalize, &n), 0);
	CHECK_INT(dtrace_aggregate_walk(h, is_plain, NULL), 0);

	dtrace_aggregate_clear(h);
	dtrace_aggregate_snap(h);
	WALK(dtrace_aggregate_walk, "q", "@q 0x707:\n");
	WALK(dtrace_aggregate_walk, "v", "@v 0x704: 0 0\n");
	dtrace_close(h);
}

static int sum_of_cpus(const dtrace_aggdata_t *data, void *arg)
{
	const dtrace_aggdesc_t *d = data->dtada_desc;
	const dtrace_recdesc_t *v = &d->dtagd_rec[d->dtagd_nrecs - 1];
	int64_t sum = 0;

	CHECK(data->dtada_percpu);
	if (!data->dtada_percpu || v->dtrd_action != DTRACEAGG_SUM)
		return DTRACE_AGGWALK_NEXT;
	for (long i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++)
		sum += *(int64_t *)data->dtada_percpu[i];
	CHECK_INT(sum, *(int64_t *)(data->dtada_data + v->dtrd_offset));
	++*(int *)arg;
	return DTRACE_AGGWALK_NEXT;
}

static void test_percpu(void)
{
	dtrace_hdl_t *h = aggregate("aggpercpu", NULL);
	int n = 0;

	CHECK_INT(dtrace_aggregate_walk(h, sum_of_cpus, &n), 0);
	CHECK_INT(n, 3);
	dtrace_close(h);
}

/* ---- printing ---- */

static const char printed[] = "BEGIN { @x[\"b\"] = sum(1); @x[\"a\"] = sum(3); @y[\"k\"] = count();"
			      "printa(@x); printa(\"%s=%@d\\n\", @x); exit(0); }";

#define PAD "                                           "

static void test_printa(void)
{
	dtrace_hdl_t *h = start(printed, NULL, NULL);

	tell_begin();
	dtrace_handle_buffered(h, on_text, NULL);
	go(h);
	while (dtrace_work(h, NULL, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY)
		;
	/* what was printed is not printed again */
	CHECK_INT(dtrace_aggregate_print(h, NULL, NULL), 0);
	CHECK_INT(dtrace_aggregate_print(h, NULL, dtrace_aggregate_walk_keysorted), 0);
	handler_says = DTRACE_HANDLE_ABORT;
	CHECK_INT(dtrace_aggregate_print(h, NULL, NULL), -1);
	CHECK_STR(dtrace_errmsg(h, dtrace_errno(h)), "Abort explicitly directed");
	handler_says = DTRACE_HANDLE_OK;
	dtrace_close(h);
	TOLD("[\n] of BEGIN action 0x4\n"
	     "[  b" PAD "                      1\n] flags 0xb of BEGIN action 0x4 @x\n"
	     "[  a" PAD "                      3\n] flags 0xb of BEGIN action 0x4 @x\n"
	     "[b=1\n] flags 0xf of BEGIN action 0x4 @x\n"
	     "[a=3\n] flags 0xf of BEGIN action 0x4 @x\n"
	     "[  k" PAD "                      1\n] flags 0xb @y\n"
	     "[  k" PAD "                      1\n] flags 0xb @y\n"
	     "[  k" PAD "                      1\n] flags 0xb @y\n");
}

static void test_print_stream(void)
{
	dtrace_hdl_t *h = start(printed, "aggsortrev", NULL);
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	go(h);
	while (dtrace_work(h, f, NULL, NULL, NULL) == DTRACE_WORKSTATUS_OKAY)
		;
	CHECK_INT(dtrace_aggregate_print(h, f, NULL), 0);
	fclose(f);
	CHECK_STR(text,
		"\n  a" PAD "                      3\n"
		"  b" PAD "                      1\na=3\nb=1\n"
		"  k" PAD "                      1\n");
	free(text);
	dtrace_close(h);
}

/* ---- flow, files ---- */

static int on_flow(const dtrace_probedata_t *data, void *arg)
{
	fprintf(notes, "%s flow %d indent %d prefix \"%s\"\n", data->dtpda_pdesc->dtpd_name,
		data->dtpda_flow, data->dtpda_indent,
		data->dtpda_prefix ? data->dtpda_prefix : "(none)");
	return DTRACE_CONSUME_NEXT;
}

static void test_flow(void)
{
	for (int on = 0; on < 2; on++) {
		dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, NULL);
		char program[256];
		dtrace_prog_t *p;

		snprintf(program, sizeof(program),
			"syscall::getppid:entry,syscall::getppid:return /pid == %d/ { } END { }",
			getpid());
		if (on)
			CHECK_INT(dtrace_setopt(h, "flowindent", NULL), 0);
		p = dtrace_program_strcompile(h, program, DTRACE_PROBESPEC_NAME, 0, 0, NULL);
		CHECK(p && !dtrace_program_exec(h, p, NULL));
		go(h);
		getppid();
		dtrace_stop(h);
		tell_begin();
		dtrace_work(h, NULL, on_flow, NULL, NULL);
		dtrace_close(h);
		TOLD(on ? "entry flow 0 indent 0 prefix \"=> \"\n"
			  "return flow 1 indent 0 prefix \"<= \"\n"
			  "END flow 2 indent 0 prefix \"| \"\n"
			: "entry flow 0 indent 0 prefix \"(none)\"\n"
			  "return flow 1 indent 0 prefix \"(none)\"\n"
			  "END flow 2 indent 0 prefix \"(none)\"\n");
	}
}

/* freopen() moves what goes to a stream. */
static void test_freopen(void)
{
	static const char format[] = "BEGIN { printf(\"a\"); freopen(\"%s\"); printf(\"b\");"
				     "ftruncate(); printf(\"c\"); freopen(\"\"); printf(\"d\"); }";
	char path[] = "classic_trace.XXXXXX", program[256], file[8] = "", *text;
	int fd = mkstemp(path);
	size_t len;
	FILE *f = open_memstream(&text, &len);
	dtrace_hdl_t *h;

	snprintf(program, sizeof(program), format, path);
	h = start(program, "destructive", NULL);
	go(h);
	dtrace_stop(h);
	CHECK_INT(dtrace_work(h, f, NULL, NULL, NULL), DTRACE_WORKSTATUS_DONE);
	fclose(f);
	CHECK_STR(text, "ad");
	free(text);
	CHECK_INT(read(fd, file, sizeof(file) - 1), 1);
	CHECK_STR(file, "c");
	close(fd);
	unlink(path);
	dtrace_close(h);
}

/* Writing that fails is told, whether it is noticed now or only in the end. */
static void test_full(void)
{
	for (int buffered = 0; buffered < 2; buffered++) {
		dtrace_hdl_t *h = start("BEGIN { trace(1); exit(0); }", NULL, NULL);
		FILE *f = fopen("/dev/full", "w");

		if (!buffered)
			setvbuf(f, NULL, _IONBF, 0);
		go(h);
		CHECK_INT(dtrace_work(h, f, NULL, NULL, NULL), DTRACE_WORKSTATUS_ERROR);
		CHECK_INT(dtrace_errno(h), ENOSPC);
		CHECK_STR(dtrace_errmsg(h, ENOSPC), strerror(ENOSPC));
		fclose(f);
		dtrace_close(h);
	}
}

static void test_addresses(void)
{
	dtrace_hdl_t *h = start("BEGIN { }", NULL, NULL);
	char text[128], want[] = "test_classic_trace`test_addresses+0x1";
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long addr = 0;

	go(h);
	CHECK_INT(dtrace_uaddr2str(h, getpid(), (uintptr_t)test_addresses + 1, text, sizeof(text)),
		sizeof(want));
	CHECK_STR(text, want);
	CHECK_INT(dtrace_uaddr2str(h, getpid(), (uintptr_t)test_addresses + 1, text, 5),
		sizeof(want));
	CHECK_STR(text, "test");
	while (f && fgets(text, sizeof(text), f))
		if (strstr(text, " T vfs_read\n"))
			addr = strtoull(text, NULL, 16);
	if (f)
		fclose(f);
	CHECK(addr);
	dtrace_addr2str(h, addr, text, sizeof(text));
	CHECK_STR(text, "vmlinux`vfs_read");
	dtrace_close(h);
}

int main(void)
{
	if (geteuid())
		test_skip("needs root");
	test_buffered();
	test_stream();
	test_next();
	test_abort();
	test_stop();
	test_fault();
	test_library_fault();
	test_drop();
	test_setopt();
	test_process();
	test_values();
	test_walks();
	test_changes();
	test_percpu();
	test_printa();
	test_print_stream();
	test_flow();
	test_freopen();
	test_full();
	test_addresses();
	return test_done();
}

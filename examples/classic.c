// SPDX-License-Identifier: Apache-2.0
/*
 * classic COMMAND [ARG...]: print the system calls that COMMAND makes.  Uses the classic names of
 * libdtrace, like programs for the DTrace of other systems.  syscalls.c is the example for new
 * programs.
 *
 *	cc -o classic classic.c $(pkg-config --cflags --libs libdtrace)
 *	./classic ls -l
 */
#include <dtrace.h>
#include <stdlib.h>

static const char program[] = "BEGIN { printf(\"tracing process %d\\n\", $target); }"
			      "syscall:::entry /pid == $target/ { @[probefunc] = count(); }"
			      "END { printf(\"done\\n\"); }";

static void fail(dtrace_hdl_t *dtp, const char *what)
{
	fprintf(stderr, "classic: %s: %s\n", what, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	dtrace_close(dtp);
	exit(1);
}

/* Receives the text of the D program, because dtrace_work() gets no stream. */
static int buffered(const dtrace_bufdata_t *data, void *arg)
{
	fputs(data->dtbda_buffered, stdout);
	return DTRACE_HANDLE_OK;
}

static int dropped(const dtrace_dropdata_t *data, void *arg)
{
	fprintf(stderr, "classic: %s\n", data->dtdda_msg);
	return DTRACE_HANDLE_OK;
}

/* Prints one key.  Its records are the id of the aggregation, the parts of the key, and the value.
 */
static int show(const dtrace_aggdata_t *data, void *arg)
{
	const dtrace_aggdesc_t *d = data->dtada_desc;
	const dtrace_recdesc_t *name = &d->dtagd_rec[1];
	const dtrace_recdesc_t *value = &d->dtagd_rec[d->dtagd_nrecs - 1];

	if (value->dtrd_action == DTRACEAGG_COUNT)
		printf("%8lld %s\n", *(long long *)(data->dtada_data + value->dtrd_offset),
			data->dtada_data + name->dtrd_offset);
	return DTRACE_AGGWALK_NEXT;
}

int main(int argc, char **argv)
{
	dtrace_proginfo_t info;
	dtrace_hdl_t *dtp;
	dtrace_prog_t *p;
	dtrace_workstatus_t status;
	int err;

	dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!dtp) {
		fprintf(stderr, "classic: %s\n", dtrace_errmsg(NULL, err));
		return 1;
	}
	dtrace_setopt(dtp, "bufsize", "1m");
	dtrace_setopt(dtp, "aggsize", "1m");
	dtrace_handle_buffered(dtp, buffered, NULL);
	dtrace_handle_drop(dtp, dropped, NULL);
	if (argc < 2 || !dtrace_proc_create(dtp, argv[1], argv + 1))
		fail(dtp, "cannot start the command");
	p = dtrace_program_strcompile(dtp, program, DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		fail(dtp, "cannot compile");
	if (dtrace_program_exec(dtp, p, &info) || dtrace_go(dtp))
		fail(dtp, "cannot trace");
	do {
		dtrace_sleep(dtp);
		status = dtrace_work(dtp, NULL, NULL, NULL, NULL);
	} while (status == DTRACE_WORKSTATUS_OKAY);
	if (status != DTRACE_WORKSTATUS_DONE || dtrace_stop(dtp) || dtrace_aggregate_snap(dtp) ||
		dtrace_aggregate_walk_valsorted(dtp, show, NULL))
		fail(dtp, "cannot go on");
	dtrace_close(dtp);
	return 0;
}

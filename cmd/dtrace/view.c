// SPDX-License-Identifier: Apache-2.0
/* Passes a saved session to the outputs. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

int view_compare(struct session *s, const char *file)
{
	int err;

	s->older = input_open(file);
	if (!s->older) {
		message_line("failed to open %s: %s", file, strerror(errno));
		return STATUS_ERROR;
	}
	err = dtrace_compare(s->d, s->older, file);
	if (!err)
		return STATUS_OK;
	message_line("--diff: %s", dtrace_session_error(s->d));
	return err == -EOPNOTSUPP ? STATUS_USAGE : STATUS_ERROR;
}

void view_close(struct session *s)
{
	if (s->older)
		fclose(s->older);
}

int view_run(struct session *s, const char *file)
{
	bool standard = !strcmp(file, "-");
	FILE *in = standard ? stdin : input_open(file);
	int err;

	if (!in) {
		message_line("failed to open %s: %s", file, strerror(errno));
		return STATUS_ERROR;
	}
	err = dtrace_view(s->d, in, standard ? "<stdin>" : file);
	if (!standard)
		fclose(in);
	if (err)
		streams_undo(s);
	/* a write that failed is reported with the name of its file */
	if (session_flush(s, err < 0 ? -err : 0))
		return STATUS_ERROR;
	if (err) {
		message_line("%s", dtrace_session_error(s->d));
		return STATUS_ERROR;
	}
	return s->fail_on_drops && dtrace_session_dropped(s->d) ? STATUS_ERROR : STATUS_OK;
}

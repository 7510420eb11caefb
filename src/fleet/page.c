// SPDX-License-Identifier: Apache-2.0
/*
 * Serves the page of a fleet: takes what browsers ask from the web server's process, and rows from
 * the process that asks ClickHouse.  Requests are answered one after the other.
 */
#include "fleet/page.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "fleet/ask.h"
#include "fleet/query.h"
#include "fleet/target.h"
#include "fleet/job.h"
#include "fleet/documents.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "web/web.h"

#define MOST_JOBS 32

struct fleet {
	struct fleet_options o;
	struct web *web;
	struct query *query;		  /* NULL: it died; the next request starts another */
	HEAPVEC(struct fleet_job *) jobs; /* the first one is being answered */
	bool asking;
	uint64_t asked;
	char said[256]; /* the last failure */
};

/* ---- answers ---- */

static void answer_problem(struct fleet *f, uint64_t id, const char *text)
{
	struct buf b = {0};

	fleet_put_problem(&b, text);
	if (!b.failed)
		web_answer(f->web, id, b.data, b.len);
	buf_free(&b);
}

static void end_job(struct fleet *f)
{
	struct fleet_job *j = f->jobs.data[0];

	memmove(f->jobs.data, f->jobs.data + 1, --f->jobs.len * sizeof(*f->jobs.data));
	f->asking = false;
	fleet_job_fini(j);
	free(j);
}

/* The page says why, and so does dtrace, once. */
static void fail_job(struct fleet *f, const char *why)
{
	const char *hint = strstr(why, "doesn't exist") || strstr(why, "does not exist")
		? "; dtrace --schema=clickhouse makes the tables"
		: "";
	char line[sizeof(f->said)];

	snprintf(line, sizeof(line), "%s: %.160s%s", f->o.url, why, hint);
	answer_problem(f, f->jobs.data[0]->id, line);
	if (strcmp(line, f->said))
		f->o.say(f->o.arg, line);
	memcpy(f->said, line, sizeof(line));
	end_job(f);
}

static void take_answer(struct fleet *f, const struct query_answer *a)
{
	struct fleet_job *j = f->jobs.len ? f->jobs.data[0] : NULL;
	struct buf b = {0};

	f->asking = false;
	if (!j)
		return;
	if (!a->ok) {
		fail_job(f, a->text);
		return;
	}
	if (fleet_job_take(j, a->text, a->len, &b)) {
		fail_job(f, strerror(ENOMEM));
	} else if (b.len) {
		*f->said = '\0';
		web_answer(f->web, j->id, b.data, b.len);
		end_job(f);
	}
	buf_free(&b);
}

/* ---- questions ---- */

static int start_query(struct fleet *f, const char **problem)
{
	struct target_credentials credentials;
	struct query_options o = {.url = f->o.url, .authority = f->o.authority};
	int err;

	*problem = target_problem(f->o.url);
	if (*problem)
		return -EINVAL;
	if (f->o.credentials) {
		err = target_credentials(f->o.credentials, &credentials, problem);
		if (err)
			return err;
		o.credentials = &credentials;
	}
	err = query_start(&o, &f->query, problem);
	explicit_bzero(&credentials, sizeof(credentials));
	return err;
}

static void lose_query(struct fleet *f)
{
	query_free(f->query);
	f->query = NULL;
	if (f->jobs.len && f->asking)
		fail_job(f, "the process that asks has died; another one answers the next request");
}

/* Asks the next question of the first job, until one is under way. */
static void ask_some(struct fleet *f)
{
	while (f->jobs.len && !f->asking) {
		const char *problem = NULL;
		struct ask a;
		int err;

		if (!f->query && start_query(f, &problem)) {
			fail_job(f, problem);
			continue;
		}
		fleet_job_next(f->jobs.data[0], &a);
		a.id = ++f->asked;
		err = ask_send(f->query, &a);
		f->asking = true;
		if (err == -EPIPE)
			lose_query(f);
		else if (err)
			fail_job(f, strerror(-err));
	}
}

static void take_request(struct fleet *f, const struct web_request *r)
{
	struct fleet_job *j = f->jobs.len < MOST_JOBS ? malloc(sizeof(*j)) : NULL;
	const char *problem;

	if (!j) {
		answer_problem(f, r->id, "too many questions wait");
		return;
	}
	if (fleet_job_begin(j, r->text, r->len, &problem) || heapvec_push(&f->jobs, j)) {
		answer_problem(f, r->id, problem ? problem : strerror(ENOMEM));
		fleet_job_fini(j);
		free(j);
		return;
	}
	j->id = r->id;
}

int fleet_work(struct fleet *f, int ms)
{
	struct pollfd fds[2] = {{.events = POLLIN}, {.events = POLLIN}};
	struct query_answer a;
	struct web_request r;
	int got;

	fds[0].fd = web_fd(f->web, &fds[0].events);
	fds[1].fd = f->query ? query_fd(f->query) : -1;
	if (poll(fds, 2, ms) < 0)
		return -errno;
	while ((got = web_take(f->web, &r)) > 0)
		take_request(f, &r);
	if (got < 0)
		return got;
	got = 0;
	while (f->query && (got = query_take(f->query, &a)) > 0)
		take_answer(f, &a);
	if (got < 0)
		lose_query(f);
	ask_some(f);
	web_flush(f->web);
	return 0;
}

/* ---- the start and the end ---- */

static int start_web(struct fleet *f, const char **problem)
{
	struct buf page = {0}, policy = {0}, picture = {0};
	int err = -ENOMEM;

	put_literal(&picture, "{\"show\":\"fleet\",\"url\":");
	picture_put_text(&picture, f->o.url);
	put_literal(&picture, "}");
	page_put_policy(&policy, PAGE_LIVE);
	put_char(&policy, '\0');
	if (!picture.failed)
		page_put(&page, PAGE_LIVE, "dtrace: fleet", NULL, picture.data, picture.len);
	*problem = strerror(ENOMEM);
	if (!page.failed && !policy.failed && !picture.failed) {
		const struct web_page served = {
			.html = page.data, .policy = policy.data, .len = page.len, .asks = true};

		err = web_start(f->o.port, &served, &f->web, problem);
	}
	buf_free(&page);
	buf_free(&policy);
	buf_free(&picture);
	return err;
}

int fleet_open(const struct fleet_options *o, struct fleet **out, const char **address,
	const char **problem)
{
	struct fleet *f = calloc(1, sizeof(*f));
	int err;

	*problem = strerror(ENOMEM);
	if (!f)
		return -ENOMEM;
	f->o = *o;
	err = start_query(f, problem);
	if (!err)
		err = start_web(f, problem);
	if (err) {
		fleet_close(f);
		return err;
	}
	*address = web_address(f->web);
	*out = f;
	return 0;
}

void fleet_close(struct fleet *f)
{
	if (!f)
		return;
	while (f->jobs.len)
		end_job(f);
	web_stop(f->web);
	query_free(f->query);
	heapvec_free(&f->jobs);
	free(f);
}

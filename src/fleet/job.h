/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet_job: one request of a fleet's page, as the questions that it takes, one after the other,
 * and the document that is made of their answers.
 */
#ifndef FLEET_JOB_H
#define FLEET_JOB_H

#include "base/buf.h"
#include "fleet/ask.h"
#include "fleet/request.h"
#include "fleet/documents.h"

/* What one question is about. */
struct job_step {
	enum ask_question question;
	bool old;     /* side */
	bool through; /* the aggregation whose hosts are asked for */
};

#define JOB_STEPS 10

struct fleet_job {
	uint64_t id;
	struct request request;
	struct job_step steps[JOB_STEPS];
	unsigned nsteps, at;
	/* of the last sizes: the table that is best, and what it has */
	enum ask_rows rows;
	bool empty;
	bool filtered;		      /* by the hosts of `through` */
	struct request_side now, old; /* their filters are the request's */
	uint32_t width, resolution;   /* of columns, in seconds: is, and at least */
	struct buf list, hosts;	      /* rows of external tables */
	struct fleet_flame flame;
	const char *problem; /* the document, if it is set */
};

/*
 * Begin with what the page asks: LEN bytes of TEXT.  0, or a negative errno with a constant in
 * *PROBLEM.  fleet_job_fini() is to be called in any case.
 */
int fleet_job_begin(struct fleet_job *j, const char *text, size_t len, const char **problem);
void fleet_job_fini(struct fleet_job *j);

/* Fills in the next question.  False: there is none, the document is what fleet_job_take() made. */
bool fleet_job_next(struct fleet_job *j, struct ask *a);

/*
 * Take the answer to the last question, and append the document to OUT if it was the last one.  0
 * or -ENOMEM.
 */
int fleet_job_take(struct fleet_job *j, const char *text, size_t len, struct buf *out);

#endif

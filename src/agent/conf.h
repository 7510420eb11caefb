/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf: the sections [agent] and [instrument NAME] of /etc/dtrace.conf, from the table agent.def.
 *
 * Knows no file: the caller passes on sections, keys and values.  Texts are copied to the arena,
 * whose owner is the caller.
 */
#ifndef AGENT_CONF_H
#define AGENT_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct dtrace;

enum agent_key {
#define AGENT(name, ...) AGENT_##name,
#include "agent/agent.def"
	AGENT_KEYS,
};

/* A line of an instrument: a limit, a fixed parameter, or a range with two values. */
struct instrument_line {
	const char *name, *value, *most; /* of a range: VALUE is the least */
	const char *where;		 /* "/etc/dtrace.conf:12" */
};

struct instrument {
	const char *name, *where;
	const char *file, *sha256; /* NULL: not set */
	VEC(struct instrument_line) limits, fixed, ranges;
};

struct agent_conf {
	struct arena *arena;
	const char *values[AGENT_KEYS], *set_by[AGENT_KEYS];
	const char *where;    /* of [agent]; NULL: there is none */
	const char *file;     /* of the activations; NULL: they are in the database */
	uint64_t poll, lease; /* ns */
	VEC(struct instrument *) instruments;
	struct instrument *open; /* the section under way; NULL: it is [agent], or there is none */
	struct dtrace *limits;	 /* checks those of the section under way */
	const char *error;
};

/* The longest name of an instrument, without the NUL. */
#define INSTRUMENT_NAME 64

void agent_conf_init(struct agent_conf *c, struct arena *a);

/* Free what is not the arena's. */
void agent_conf_fini(struct agent_conf *c);

/* Begin section NAME, "agent" or "instrument NAME", at WHERE.  0, or -EINVAL and an error. */
int agent_conf_section(struct agent_conf *c, const char *name, const char *where);

/* Set KEY of the section under way.  0, or a negative errno and an error. */
int agent_conf_set(struct agent_conf *c, const char *key, const char *value, const char *where);

/* Check that all is there; the defaults take the place of what is not set.  0, or -EINVAL and an
 * error that begins with its place. */
int agent_conf_complete(struct agent_conf *c);

const struct instrument *agent_conf_instrument(const struct agent_conf *c, const char *name);

#endif

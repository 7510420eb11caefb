/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry: the probes that this session knows, found lazily by asking the providers.
 */
#ifndef PROBE_REGISTRY_H
#define PROBE_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct arena;
struct probe;
struct probe_pattern;
struct process_object;
struct provider;
struct provider_env;
struct types;

struct registry;

/*
 * Create a registry in arena A that asks PROVIDERS.  LATER names providers that are not supported
 * yet, without the number that may follow; registry_missing() recognises them; NULL: none.  Both
 * arrays end with NULL and are borrowed.
 */
struct registry *registry_new(struct arena *a, struct types *types,
	const struct provider *const *providers, const char *const *later);

/* The providers that may be used, in addition to dtrace, which always may. */
struct registry_allowed {
	const char *const *names; /* ends with NULL */
	const char *by;		  /* who says so, for messages: "/etc/dtrace.conf:3" */
};

/*
 * Take the other providers out: R has no probes of theirs.  ALLOWED is borrowed.  Call it before
 * the first match.
 */
void registry_allow(struct registry *r, const struct registry_allowed *allowed);

/* Returns why R has no probes of provider V: one line that names who says so; NULL: it may be used.
 */
const char *registry_refuses(struct registry *r, const struct provider *v);

/*
 * Call VISIT for each probe that matches PAT, in ascending id order, after asking the providers
 * whose names can match.  Returns how many; a negative errno when a provider failed.
 */
int registry_match(struct registry *r, const struct probe_pattern *pat,
	void (*visit)(void *arg, const struct probe *probe), void *arg);

/* Returns the probe with this id, or NULL; may ask the provider whose block of ids holds it. */
const struct probe *registry_by_id(struct registry *r, uint32_t id);

/*
 * Returns the provider that may have more probes for PAT while tracing (struct user_provider), or
 * NULL.
 */
const struct provider *registry_late(struct registry *r, const struct probe_pattern *pat);

/*
 * Ask PROVIDER for PAT once more, about process PID alone.  Probes that were known get the data
 * that the provider has for them now.  0 or a negative errno.
 */
int registry_again(struct registry *r, const struct provider *provider,
	const struct probe_pattern *pat, pid_t pid);

/*
 * Ask PROVIDER for PAT once more, about file OBJECT alone, which process PID maps (0: none need).
 * Its probes are shared ones, and stay.  0 or a negative errno.
 */
int registry_look(struct registry *r, const struct provider *provider,
	const struct probe_pattern *pat, const struct process_object *object, pid_t pid);

/* Call VISIT for the shared probes of PROVIDER with ids of FIRST or above. */
void registry_visit_shared(struct registry *r, const struct provider *provider, uint32_t first,
	void (*visit)(void *arg, const struct probe *probe), void *arg);

/*
 * Process PID has ended, its number may be another's next: no pattern matches the probes any more
 * that registry_again() found in it.  registry_by_id() knows them until registry_settle().
 */
void registry_forget(struct registry *r, pid_t pid);

/*
 * Frees the probes of forgotten processes, after their records were consumed.  With NAMES
 * registry_by_id() answers with the names, and nothing else, as long as the registry lives.
 */
void registry_settle(struct registry *r, bool names);

/* Free what is not in the arena; NULL: nothing. */
void registry_free(struct registry *r);

/* Call VISIT for the probes, with ids of FIRST or above, that registry_again() found of PROVIDER in
 * process PID. */
void registry_visit(struct registry *r, const struct provider *provider, pid_t pid, uint32_t first,
	void (*visit)(void *arg, const struct probe *probe), void *arg);

/* Returns an id above those of all probes known so far that have no slot. */
uint32_t registry_next_id(const struct registry *r);

/* True if PAT matches P. */
bool registry_matches(struct registry *r, const struct probe *p, const struct probe_pattern *pat);

/*
 * True if PAT, which is about process PID or its family, matches shared probe P as that process has
 * it.  False if names do not tell: a.out is another file in each.
 */
bool registry_matches_in(
	struct registry *r, const struct probe *p, const struct probe_pattern *pat, pid_t pid);

/* Returns the environment of the providers' callbacks. */
struct provider_env *registry_env(struct registry *r);

/*
 * Returns why a pattern that names a provider found nothing: the provider's own line about a
 * missing kernel feature, or that the provider may not be used; NULL: neither.
 */
const char *registry_missing(struct registry *r, const struct probe_pattern *pat);

/* Returns the I-th provider, from 0; NULL = there are fewer. */
const struct provider *registry_provider(struct registry *r, uint32_t i);

/*
 * suggest.c: what was meant by a pattern that found nothing, for "did you mean %s?": the one part
 * that has to change ("open"), or a whole description ("syscall::open:entry").  NULL = nothing is
 * near.  In arena A or a provider's string.  It may look at all probes of the provider named; where
 * none is named, at those of the providers that have few.
 */
const char *registry_suggest(struct registry *r, const struct probe_pattern *pat, struct arena *a);

#endif

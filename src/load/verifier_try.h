/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verifier_try: private to src/load/feature*.c: tries the rows FEATURE_INTERNAL of
 * features.def.  Each returns 0 or a negative errno.
 */
#ifndef LOAD_VERIFIER_TRY_H
#define LOAD_VERIFIER_TRY_H

struct feature_attempt;

int try_cgroup_memory(struct feature_attempt *a);
int try_large_storage(struct feature_attempt *a);
int try_unprivileged_maps(struct feature_attempt *a);
int try_growing_hashes(struct feature_attempt *a);
int try_atomics(struct feature_attempt *a);
int try_long_jumps(struct feature_attempt *a);
int try_pruned_numbers(struct feature_attempt *a);
int try_frame_16(struct feature_attempt *a);
int try_typed_task(struct feature_attempt *a);
int try_cookies(struct feature_attempt *a);
int try_syscalls_preempt(struct feature_attempt *a);
int try_private_stacks(struct feature_attempt *a);

#endif

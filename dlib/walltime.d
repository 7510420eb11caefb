/* SPDX-License-Identifier: Apache-2.0 */
/* Times of day as keys of aggregations: a heat map finds the key that is one by its type. */

/* ns since the Epoch. */
typedef int64_t walltime_t;

/* walltimestamp, rounded down to a multiple of step ns. */
inline walltime_t walltimebin[int64_t step] = walltimestamp - walltimestamp % step;

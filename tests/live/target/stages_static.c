/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/* Runs stages.c from a static program. */
#include "stages.c"

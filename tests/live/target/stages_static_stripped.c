/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static -s */
/* Runs stages.c from a static program without symbols. */
#include "stages.c"

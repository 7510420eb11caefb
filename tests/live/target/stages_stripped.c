/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -s */
/* Runs stages.c from a program without symbols. */
#include "stages.c"

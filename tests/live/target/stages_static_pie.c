/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static-pie -fPIE */
/* Runs stages.c from a static program at any address. */
#include "stages.c"

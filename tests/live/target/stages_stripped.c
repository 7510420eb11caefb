/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -s */
#include "stages.c"

/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static -s */
#include "stages.c"

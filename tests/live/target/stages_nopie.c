/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -no-pie -fno-pie */
/* Runs stages.c from a program at fixed addresses. */
#include "stages.c"

/*
 * curcpu, and the translator of a CPU's number that makes it.
 * @ref d-builtins 1 curcpu
 * @ref providers 18.3 cpu_id cpu_pset cpu_chip cpu_lgrp
 * @ref d-language 16.2 pointer-member member
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", curcpu->cpu_id == cpu, curcpu->cpu_pset);
	printf("%d %d\n", xlate <cpuinfo_t *>(5)->cpu_id, xlate <cpuinfo_t>(6).cpu_id);
	printf("%d %d %d\n", pset, chip == curcpu->cpu_chip, lgrp == curcpu->cpu_lgrp);
	exit(0);
}

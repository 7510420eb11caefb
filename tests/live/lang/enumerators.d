/*
 * Enumerators of the kernel's enums are known beside a value of their enum.
 * @ref d-language 7.4 kernel-enumerators
 * @ref d-language 9.1 compare-enumerators
 * @ref d-language 6.3 enum-as-int
 */
#pragma D option quiet

BEGIN
{
	this->h = (enum hrtimer_restart)1;
	printf("%d%d%d%d%d%d\n", this->h == HRTIMER_RESTART, this->h != HRTIMER_RESTART,
		this->h < HRTIMER_RESTART, this->h <= HRTIMER_RESTART, this->h > HRTIMER_RESTART,
		this->h >= HRTIMER_RESTART);
	printf("%d%d%d%d%d%d\n", this->h == HRTIMER_NORESTART, this->h != HRTIMER_NORESTART,
		this->h < HRTIMER_NORESTART, this->h <= HRTIMER_NORESTART, this->h > HRTIMER_NORESTART,
		this->h >= HRTIMER_NORESTART);
	printf("%d %d %d\n", this->h, this->h + 41, sizeof(this->h));
	exit(0);
}

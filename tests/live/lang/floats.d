/*
 * Floating-point values can be read and printed; there is no arithmetic with them.
 * @trigger floats
 * @ref d-language 6.1 floating-point-storage
 * @ref d-builtins 8.1 e-f-g L
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	this->d = (double *)copyin(arg1, 8);
	printf("%f %e %g %E %G\n", *this->d, *this->d, *this->d, *this->d, *this->d);
	printf("|%.2f|%12.3f|%-12.1f|%+g|\n", *this->d, *this->d, *this->d, *this->d);
	printf("%f %e %g\n", *(float *)copyin(arg0, 4), *(float *)copyin(arg0, 4), *(float *)copyin(arg0, 4));
	this->l = (long double *)copyin(arg2, 16);
	printf("%Lf %Le %Lg %LE %LG\n", *this->l, *this->l, *this->l, *this->l, *this->l);
	printf("%d %d %d\n", sizeof(float), sizeof(double), sizeof(long double));
}

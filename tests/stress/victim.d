/* The probe of victim.c; its header is made of this. */
provider victim {
	probe hit(int);
};

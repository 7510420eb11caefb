/* The probes of swarm.c; its header is made of this. */
provider swarm {
	probe hit(int, int);
	probe loaded(int);
};

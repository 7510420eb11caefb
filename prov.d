provider swarm { probe hit(int); probe loaded(int); };

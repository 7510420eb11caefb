provider shop {
	probe order(int, string);
	probe paid__late(char *, struct item *id, uint8_t count) : (long, int);
	probe none();
};
#pragma D attributes Evolving/Evolving/Common provider shop provider
provider till { probe open(double, float, long double, int [4]); };

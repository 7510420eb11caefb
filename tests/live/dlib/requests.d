/*
 * bufinfo_t of requests that are made here: flags, sizes, each status of the block layer as an
 * error; devinfo_t of one for a device that there is not; an interface.
 * @args -x scratchsize=4096
 * @stderr
 * @ref providers 18.5; providers 18.6
 * @ref providers 18.5 b_flags b_bcount b_lblkno b_blkno b_resid b_bufsize b_error b_edev
 * @ref providers 18.6 dev_name dev_statname dev_pathname
 * @ref providers 18.7 if_name if_local if_addr
 */
#pragma D option quiet

inline int REQ_SYNC = 1 << 11;

BEGIN
{
	this->b = (struct bio *)alloca(sizeof (struct bio));
	this->b->bi_bdev = NULL;
	this->b->bi_io_vec = NULL;
	this->b->bi_end_io = NULL;
	this->b->bi_status = 0;
	this->b->bi_iter.bi_size = 12288;
	this->b->bi_iter.bi_sector = 1ull << 40;
	this->b->bi_iter.bi_idx = 3;
	for (this->op = 0; this->op < 4; this->op++) {
		this->b->bi_opf = (this->op & 1) | (this->op & 2 ? REQ_SYNC : 0);
		this->f = xlate <bufinfo_t *>(this->b)->b_flags;
		printf("%s %s %d %x\n", this->f & B_READ ? "read" : this->f & B_WRITE ? "write" : "",
			this->f & B_ASYNC ? "async" : "sync", (this->f & B_PHYS) != 0, this->f);
	}
	printf("%d %d %d %d %d %d\n", xlate <bufinfo_t *>(this->b)->b_bcount,
		xlate <bufinfo_t *>(this->b)->b_bufsize, xlate <bufinfo_t *>(this->b)->b_resid,
		xlate <bufinfo_t *>(this->b)->b_blkno == 1ull << 40,
		xlate <bufinfo_t *>(this->b)->b_lblkno == 1ull << 40,
		xlate <bufinfo_t *>(this->b)->b_edev);
	printf("%s %s %s\n", xlate <devinfo_t *>(this->b)->dev_name,
		xlate <devinfo_t *>(this->b)->dev_statname,
		xlate <devinfo_t *>(this->b)->dev_pathname);
	for (this->i = 0; this->i < 14; this->i++) {
		this->b->bi_status = this->i;
		printf("%d %d\n", xlate <bufinfo_t *>(this->b)->b_error,
			xlate <bufinfo_t *>(this->b)->b_flags & B_ERROR);
	}
}

/* Where the io provider has them, which is nowhere here. */
BEGIN
{
	this->io = (_io_bio)alloca(sizeof (struct bio));
	this->io->bio.bi_bdev = NULL;
	this->io->bio.bi_io_vec = NULL;
	this->io->bio.bi_status = 10;
	this->io->bio.bi_opf = 1;
	this->io->bio.bi_iter.bi_size = 12288;
	this->io->bio.bi_iter.bi_sector = 99;
	printf("%x %d %d %d\n", xlate <bufinfo_t *>(this->io)->b_flags,
		xlate <bufinfo_t *>(this->io)->b_bcount, xlate <bufinfo_t *>(this->io)->b_blkno,
		xlate <bufinfo_t *>(this->io)->b_error);
}

BEGIN
{
	this->lo = curthread->nsproxy->net_ns->loopback_dev;
	printf("%s %d %d %d\n", xlate <ifinfo_t *>(this->lo)->if_name,
		xlate <ifinfo_t *>(this->lo)->if_local,
		xlate <ifinfo_t *>(this->lo)->if_ipstack == (uint64_t)curthread->nsproxy->net_ns,
		xlate <ifinfo_t *>(this->lo)->if_addr == (uintptr_t)this->lo);
	exit(0);
}

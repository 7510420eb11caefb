/* SPDX-License-Identifier: Apache-2.0 */
/* Flags of open files (asm-generic/fcntl.h): of open(2), and of the kernel's struct file. */

inline int O_ACCMODE = 03;
inline int O_RDONLY = 00;
inline int O_WRONLY = 01;
inline int O_RDWR = 02;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_NONBLOCK = 04000;
inline int O_NDELAY = 04000;
inline int O_DSYNC = 010000;
inline int O_ASYNC = 020000;
inline int O_DIRECT = 040000;
inline int O_LARGEFILE = 0100000;
inline int O_DIRECTORY = 0200000;
inline int O_NOFOLLOW = 0400000;
inline int O_NOATIME = 01000000;
inline int O_CLOEXEC = 02000000;
inline int O_SYNC = 04010000;
inline int O_RSYNC = 04010000;
inline int O_FSYNC = 04010000;
inline int O_PATH = 010000000;
inline int O_TMPFILE = 020200000;

#pragma D depends_on library errno.d
#pragma D depends_on library kernel.d

typedef char *caddr_t;

/* ---- open files ---- */

typedef struct fileinfo {
	string fi_name; /* last component of fi_pathname */
	string fi_dirname;
	string fi_pathname; /* as /proc/PID/fd has it */
	loff_t fi_offset;
	string fi_fs; /* type of the file system */
	string fi_mount; /* where it is mounted */
	int fi_oflags; /* O_RDWR and the like */
} fileinfo_t;

/* Files that are nowhere, and name themselves: pipes, sockets, anonymous inodes, memory. */
inline int _dentry_is_nowhere[struct dentry *d] = d->d_op && d->d_op->d_dname;

/* A deleted one's name is what it was. */
string _file_name(struct file *f)
{
	return !f ? "<none>" :
		_dentry_is_nowhere[f->f_path.dentry] ||
			f->f_path.dentry == f->f_path.mnt->mnt_root ? basename(d_path(&f->f_path)) :
		stringof(f->f_path.dentry->d_name.name);
}

string _file_path(struct file *f)
{
	return f ? d_path(&f->f_path) : "<none>";
}

string _file_mount(struct file *f)
{
	return !f || _dentry_is_nowhere[f->f_path.dentry] ? "<none>" :
		_mount_path(f->f_path.mnt, f->f_path.mnt->mnt_root);
}

string _file_dir(struct file *f)
{
	return f ? dirname(d_path(&f->f_path)) : "<none>";
}

string _file_fs(struct file *f)
{
	return f ? stringof(f->f_path.mnt->mnt_sb->s_type->name) : "<none>";
}

loff_t _file_offset(struct file *f)
{
	return f ? f->f_pos : 0;
}

int _file_flags(struct file *f)
{
	return f ? f->f_flags : 0;
}

translator fileinfo_t < struct file *f > {
	fi_name = _file_name(f);
	fi_dirname = _file_dir(f);
	fi_pathname = _file_path(f);
	fi_offset = _file_offset(f);
	fi_fs = _file_fs(f);
	fi_mount = _file_mount(f);
	fi_oflags = _file_flags(f);
};

struct file *_fd_file(struct files_struct *files, int fd)
{
	return files && fd >= 0 && fd < files->fdt->max_fds ? files->fdt->fd[fd] : NULL;
}

/* Of the current process, by descriptor. */
inline fileinfo_t fds[int fd] = xlate <fileinfo_t>(_fd_file(curthread->files, fd));

inline string cwd = d_path(&curthread->fs->pwd);
/* not as the process sees it, to which it is always / */
inline string root = _mount_path(curthread->fs->root.mnt, curthread->fs->root.dentry);

/* ---- block devices ---- */

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance; /* dev_minor */
	string dev_name; /* of the driver: sd, virtio_blk, loop */
	string dev_statname; /* of the disk or partition: sda1, nvme0n1p1 */
	string dev_pathname;
} devinfo_t;

dev_t _bio_dev(struct bio *b)
{
	return b && b->bi_bdev ? b->bi_bdev->bd_dev : 0;
}

/* A disk's parent is the device that its driver drives, or between the two is a controller's. */
string _device_driver(struct device *parent, dev_t dev)
{
	return parent && parent->driver ? stringof(parent->driver->name) :
		parent && parent->parent && parent->parent->driver ?
			stringof(parent->parent->driver->name) :
		_block_major[dev >> _MINOR_BITS]; /* src/compile/topology.c */
}

string _disk_driver(struct block_device *disk)
{
	return _device_driver(disk->bd_device.parent, disk->bd_dev);
}

string _bdev_driver(struct block_device *d)
{
	return d ? _disk_driver(d->bd_disk->part0) : "<none>";
}

/* Its name in sysfs, which has the number of a partition. */
string _bdev_name(struct block_device *d)
{
	return d ? stringof(d->bd_device.kobj.name) : "<none>";
}

string _bdev_path(struct block_device *d)
{
	return d ? strjoin("/dev/", stringof(d->bd_device.kobj.name)) : "<none>";
}

inline struct block_device *_bio_bdev[struct bio *b] = b ? b->bi_bdev : NULL;

translator devinfo_t < struct bio *b > {
	dev_major = _bio_dev(b) >> _MINOR_BITS;
	dev_minor = _bio_dev(b) & ((1 << _MINOR_BITS) - 1);
	dev_instance = _bio_dev(b) & ((1 << _MINOR_BITS) - 1);
	dev_name = _bdev_driver(_bio_bdev[b]);
	dev_statname = _bdev_name(_bio_bdev[b]);
	dev_pathname = _bdev_path(_bio_bdev[b]);
};

/* ---- what a block device is asked for ---- */

/* b_flags */
inline int B_BUSY = 0x001;
inline int B_DONE = 0x002;
inline int B_ERROR = 0x004;
inline int B_PAGEIO = 0x010; /* of the page cache */
inline int B_PHYS = 0x020; /* of a process's or the kernel's own memory */
inline int B_READ = 0x040;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400; /* nobody waits for it */

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount; /* bytes */
	caddr_t b_addr; /* 0 */
	uint64_t b_lblkno;
	uint64_t b_blkno; /* in 512 bytes */
	size_t b_resid; /* 0 */
	size_t b_bufsize;
	caddr_t b_iodone; /* function to be called at the end */
	int b_error;
	dev_t b_edev;
} bufinfo_t;

/*
 * A struct bio * as the io provider gives it: what is gone from it, or not yet in it, when it is
 * done is in the probe's further arguments.
 */
typedef struct _io_bio {
	struct bio bio;
} *_io_bio;

/* include/linux/blk_types.h: enum req_op's low bit, REQ_SYNC, BLK_STS_* */
inline int _REQ_WRITE = 1;
inline int _REQ_SYNC = 1 << 11;

int _blk_errno(int status)
{
	return status == 0 ? 0 :
		status == 1 ? EOPNOTSUPP :
		status == 2 ? ETIMEDOUT :
		status == 3 ? ENOSPC :
		status == 4 ? ENOLINK :
		status == 5 ? EREMOTEIO :
		status == 6 ? EBADE :
		status == 7 ? ENODATA :
		status == 8 ? EILSEQ :
		status == 9 ? ENOMEM :
		status == 12 ? EAGAIN : EIO;
}

/*
 * The folio of a page, from the word W behind its flags: odd in all but the first page of a folio.
 * It is the first page's address then, plus 1, or on newer kernels the mask that gives it.
 */
inline uintptr_t _LEAST_MASK = -(1l << 30);

struct folio *_word_folio(uintptr_t p, uintptr_t w)
{
	return (struct folio *)(!(w & 1) ? p : w < _LEAST_MASK ? w - 1 : p & w);
}

struct folio *_page_folio(uintptr_t p)
{
	return _word_folio(p, *(uintptr_t *)(p + sizeof (long)));
}

/*
 * What is in the place of the mapping can be something else, for it is said nowhere what a page is
 * used for: an address space in the page cache is its host's own.
 */
struct inode *_folio_inode(struct folio *f)
{
	return (long)f->mapping < 0 && !((uintptr_t)f->mapping & 7) &&
		(uintptr_t)f->mapping == (uintptr_t)&f->mapping->host->i_data ?
		f->mapping->host : NULL;
}

/* Where its first byte is; with nothing left it is past the end of the array. */
inline struct bio_vec *_bio_vec[struct bio *b] =
	&b->bi_io_vec[b->bi_iter.bi_size ? b->bi_iter.bi_idx : 0];

struct inode *_bio_inode(struct bio *b)
{
	return b && b->bi_io_vec && _bio_vec[b]->bv_page ?
		_folio_inode(_page_folio((uintptr_t)_bio_vec[b]->bv_page)) : NULL;
}

int _bio_flags(struct bio *b)
{
	return (b->bi_opf & _REQ_WRITE ? B_WRITE : B_READ) |
		(b->bi_opf & _REQ_SYNC ? 0 : B_ASYNC) | (_bio_inode(b) ? B_PAGEIO : B_PHYS);
}

translator bufinfo_t < struct bio *b > {
	b_flags = b ? _bio_flags(b) | (b->bi_status ? B_ERROR : 0) : 0;
	b_bcount = b ? b->bi_iter.bi_size : 0;
	b_addr = NULL;
	b_lblkno = b ? b->bi_iter.bi_sector : 0;
	b_blkno = b ? b->bi_iter.bi_sector : 0;
	b_resid = 0;
	b_bufsize = b ? b->bi_iter.bi_size : 0;
	b_iodone = b ? (caddr_t)b->bi_end_io : NULL;
	b_error = b ? _blk_errno(b->bi_status) : 0;
	b_edev = _bio_dev(b);
};

translator bufinfo_t < _io_bio b > {
	b_flags = b ? _bio_flags(&b->bio) | (arg5 ? B_DONE : 0) | (arg6 ? B_ERROR : 0) : 0;
	b_bcount = arg3;
	b_addr = NULL;
	b_lblkno = arg4;
	b_blkno = arg4;
	b_resid = 0;
	b_bufsize = arg3;
	b_iodone = b ? (caddr_t)b->bio.bi_end_io : NULL;
	b_error = _blk_errno(arg6);
	b_edev = b ? _bio_dev(&b->bio) : 0;
};

/* ---- the file of the page cache that it is for ---- */

/* in a union that newer kernels have no name for: the first that compiles counts */
inline size_t _DENTRY_ALIAS = offsetof(struct dentry, d_u);
inline size_t _DENTRY_ALIAS = offsetof(struct dentry, d_alias);

inline struct dentry *_alias_dentry[uintptr_t alias] = (struct dentry *)(alias - _DENTRY_ALIAS);

/* One of the names of an inode; a block device's own pages have none. */
struct dentry *_inode_dentry(struct inode *i)
{
	return i && i->i_dentry.first &&
		!_dentry_is_nowhere[_alias_dentry[(uintptr_t)i->i_dentry.first]] ?
		_alias_dentry[(uintptr_t)i->i_dentry.first] : NULL;
}

string _dentry_name(struct dentry *d)
{
	return d ? stringof(d->d_name.name) : "<none>";
}

string _dentry_path(struct dentry *d)
{
	return d ? _mount_path(NULL, d) : "<none>";
}

string _dentry_dir(struct dentry *d)
{
	return d ? dirname(_mount_path(NULL, d)) : "<none>";
}

string _dentry_mount(struct dentry *d)
{
	return d ? _mount_path(NULL, d->d_sb->s_root) : "<none>";
}

string _inode_fs(struct inode *i)
{
	return i ? stringof(i->i_sb->s_type->name) : "<none>";
}

/*
 * Past the page cache (O_DIRECT) the pages are the program's, and only who waits for the bio knows
 * the file: iomap does (fs/iomap/direct-io.c), by which ext4, xfs and others do this.
 */
inline struct file *_bio_file[struct bio *b] =
	b && (uintptr_t)b->bi_end_io == (uintptr_t)&`iomap_dio_bio_end_io && b->bi_private ?
	((struct iomap_dio *)b->bi_private)->iocb->ki_filp : NULL;
inline struct file *_bio_file[struct bio *b] = NULL; /* a kernel without it */

inline struct inode *_bio_host[struct bio *b] = _bio_file[b] ? _bio_file[b]->f_inode : _bio_inode(b);
inline struct dentry *_bio_dentry[struct bio *b] =
	_bio_file[b] ? _bio_file[b]->f_path.dentry : _inode_dentry(_bio_inode(b));

translator fileinfo_t < struct bio *b > {
	fi_name = _dentry_name(_bio_dentry[b]);
	fi_dirname = _dentry_dir(_bio_dentry[b]);
	fi_pathname = _dentry_path(_bio_dentry[b]);
	fi_offset = 0;
	fi_fs = _inode_fs(_bio_host[b]);
	fi_mount = _dentry_mount(_bio_dentry[b]);
	fi_oflags = _bio_file[b] ? _bio_file[b]->f_flags : 0;
};

#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "lockstat: waiting for the kernel's locks, by lock and caller"
#pragma tool param p pid "only threads of this process"
inline pid_t p = 0;
#pragma tool param n string "only threads with this name, or of processes with it"
inline string n = "";
#pragma tool param m time "only waits that are longer"
inline uint64_t m = 0;
#pragma tool param D int "print so many rows of each kind at most; 0: all of them"
inline int D = 0;
#pragma tool param s int "with this many frames of the stack"
inline int s = 0;
#pragma tool param P flag "sort by the time in all, and print its shares, not those of the number of waits"
inline int P = 0;
#pragma tool param w flag "do not separate callers"
inline int w = 0;
#pragma tool param W flag "do not separate locks"
inline int W = 0;
#pragma tool param H flag "the times for which mutexes and semaphores are held, not those of waiting for them"
inline int H = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option aggsortrev
#pragma D option aggsortpos=1

inline int ours = (!p || pid == p) && (n == "" || execname == n || threadname == n);
inline int mine = !H && ours && arg1 >= m;

BEGIN
{
	printf("%s locks of the kernel. Ends with ^C.\n", H ? "Holding" : "Waiting for");
	setopt("aggrows", lltostr(D));
	began = timestamp;
}

lockstat:::adaptive-spin, lockstat:::adaptive-block, lockstat:::spin-spin, lockstat:::rw-spin, lockstat:::rw-block
/mine/
{
	this->lock = W ? 0 : (uintptr_t)arg0;
	this->caller = w ? 0 : caller;
	/* what the rows are sorted by */
	this->weight = P ? arg1 : 1;
}

lockstat:::adaptive-spin, lockstat:::adaptive-block, lockstat:::spin-spin, lockstat:::rw-spin, lockstat:::rw-block
/mine && s/
{
	this->stack = stack(s ? s : 1);
}

lockstat:::adaptive-spin
/mine/
{
	has_adaptive_spin = 1;
	@adaptive_spin = sum(1000);
	@adaptive_spin_count[this->lock, this->caller, this->stack] = count();
	@adaptive_spin_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@adaptive_spin_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::adaptive-block
/mine/
{
	has_adaptive_block = 1;
	@adaptive_block = sum(1000);
	@adaptive_block_count[this->lock, this->caller, this->stack] = count();
	@adaptive_block_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@adaptive_block_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::spin-spin
/mine/
{
	has_spin = 1;
	@spin = sum(1000);
	@spin_count[this->lock, this->caller, this->stack] = count();
	@spin_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@spin_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::rw-spin
/mine && arg2 == RW_WRITER/
{
	has_writer_spin = 1;
	@writer_spin = sum(1000);
	@writer_spin_count[this->lock, this->caller, this->stack] = count();
	@writer_spin_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@writer_spin_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::rw-spin
/mine && arg2 == RW_READER/
{
	has_reader_spin = 1;
	@reader_spin = sum(1000);
	@reader_spin_count[this->lock, this->caller, this->stack] = count();
	@reader_spin_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@reader_spin_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::rw-block
/mine && arg2 == RW_WRITER/
{
	has_writer_block = 1;
	@writer_block = sum(1000);
	@writer_block_count[this->lock, this->caller, this->stack] = count();
	@writer_block_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@writer_block_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

lockstat:::rw-block
/mine && arg2 == RW_READER/
{
	has_reader_block = 1;
	@reader_block = sum(1000);
	@reader_block_count[this->lock, this->caller, this->stack] = count();
	@reader_block_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@reader_block_mean[this->lock, this->caller, this->stack] = avg(arg1);
}

/* -H: a clause whose flag is not given needs no probes, which not every kernel has */
lockstat:::adaptive-acquire, lockstat:::rw-acquire
/H && ours && pid != $pid/
{
	self->since[arg0] = timestamp;
}

lockstat:::adaptive-release, lockstat:::rw-release
/H && self->since[arg0]/
{
	this->held = timestamp - self->since[arg0];
	self->since[arg0] = 0;
	this->lock = W ? 0 : (uintptr_t)arg0;
	this->caller = w ? 0 : caller;
	this->weight = P ? this->held : 1;
}

/* a writer becomes a reader */
lockstat:::rw-downgrade
/H && self->since[arg0]/
{
	this->held = timestamp - self->since[arg0];
	self->since[arg0] = timestamp;
	this->lock = W ? 0 : (uintptr_t)arg0;
	this->caller = w ? 0 : caller;
	this->weight = P ? this->held : 1;
}

lockstat:::adaptive-release, lockstat:::rw-release, lockstat:::rw-downgrade
/H && this->held && s/
{
	this->stack = stack(s ? s : 1);
}

lockstat:::adaptive-release
/H && this->held && this->held >= m/
{
	has_adaptive_hold = 1;
	@adaptive_hold = sum(1000);
	@adaptive_hold_count[this->lock, this->caller, this->stack] = count();
	@adaptive_hold_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@adaptive_hold_mean[this->lock, this->caller, this->stack] = avg(this->held);
}

lockstat:::rw-release, lockstat:::rw-downgrade
/H && this->held && this->held >= m && (arg1 == RW_WRITER || probename == "rw-downgrade")/
{
	has_writer_hold = 1;
	@writer_hold = sum(1000);
	@writer_hold_count[this->lock, this->caller, this->stack] = count();
	@writer_hold_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@writer_hold_mean[this->lock, this->caller, this->stack] = avg(this->held);
}

lockstat:::rw-release
/H && this->held && this->held >= m && arg1 == RW_READER/
{
	has_reader_hold = 1;
	@reader_hold = sum(1000);
	@reader_hold_count[this->lock, this->caller, this->stack] = count();
	@reader_hold_weight[this->lock, this->caller, this->stack] = sum(this->weight);
	@reader_hold_mean[this->lock, this->caller, this->stack] = avg(this->held);
}

tick-1s /d && ++ticks >= d/ { exit(0); }

/* not 0, as values are divided by it */
END { ms = (timestamp - began) / 1000000 + 1; }

END
/has_adaptive_spin/
{
	normalize(@adaptive_spin, 1000);
	printa("\nAdaptive mutex spin: %@d events", @adaptive_spin);
	normalize(@adaptive_spin, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @adaptive_spin);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @adaptive_spin_count, @adaptive_spin_weight, @adaptive_spin_weight,
	    @adaptive_spin_mean);
}

END
/has_adaptive_block/
{
	normalize(@adaptive_block, 1000);
	printa("\nAdaptive mutex block: %@d events", @adaptive_block);
	normalize(@adaptive_block, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @adaptive_block);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @adaptive_block_count, @adaptive_block_weight, @adaptive_block_weight,
	    @adaptive_block_mean);
}

END
/has_spin/
{
	normalize(@spin, 1000);
	printa("\nSpin lock spin: %@d events", @spin);
	normalize(@spin, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @spin);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @spin_count, @spin_weight, @spin_weight,
	    @spin_mean);
}

END
/has_writer_spin/
{
	normalize(@writer_spin, 1000);
	printa("\nR/W writer spin: %@d events", @writer_spin);
	normalize(@writer_spin, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @writer_spin);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @writer_spin_count, @writer_spin_weight, @writer_spin_weight,
	    @writer_spin_mean);
}

END
/has_reader_spin/
{
	normalize(@reader_spin, 1000);
	printa("\nR/W reader spin: %@d events", @reader_spin);
	normalize(@reader_spin, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @reader_spin);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%%    - %@8d %-22a %a%-30k", @reader_spin_count, @reader_spin_weight, @reader_spin_weight,
	    @reader_spin_mean);
}

END
/has_writer_block/
{
	normalize(@writer_block, 1000);
	printa("\nR/W writer block: %@d events", @writer_block);
	normalize(@writer_block, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @writer_block);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @writer_block_count, @writer_block_weight, @writer_block_weight,
	    @writer_block_mean);
}

END
/has_reader_block/
{
	normalize(@reader_block, 1000);
	printa("\nR/W reader block: %@d events", @reader_block);
	normalize(@reader_block, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @reader_block);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%%    - %@8d %-22a %a%-30k", @reader_block_count, @reader_block_weight, @reader_block_weight,
	    @reader_block_mean);
}

END
/has_adaptive_hold/
{
	normalize(@adaptive_hold, 1000);
	printa("\nAdaptive mutex hold: %@d events", @adaptive_hold);
	normalize(@adaptive_hold, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @adaptive_hold);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @adaptive_hold_count, @adaptive_hold_weight, @adaptive_hold_weight,
	    @adaptive_hold_mean);
}

END
/has_writer_hold/
{
	normalize(@writer_hold, 1000);
	printa("\nR/W writer hold: %@d events", @writer_hold);
	normalize(@writer_hold, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @writer_hold);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%% 1.00 %@8d %-22a %a%-30k", @writer_hold_count, @writer_hold_weight, @writer_hold_weight,
	    @writer_hold_mean);
}

END
/has_reader_hold/
{
	normalize(@reader_hold, 1000);
	printa("\nR/W reader hold: %@d events", @reader_hold);
	normalize(@reader_hold, ms);
	printf(" in %d.%d seconds", ms / 1000, ms % 1000 / 100);
	printa(" (%@d events/sec)\n\n", @reader_hold);
	printf("Count indv cuml rcnt     nsec Lock                   Caller\n");
	printf("-------------------------------------------------------------------------------\n");
	printa("%@5d %@3r%% %@3R%%    - %@8d %-22a %a%-30k", @reader_hold_count, @reader_hold_weight, @reader_hold_weight,
	    @reader_hold_mean);
}

// SPDX-License-Identifier: Apache-2.0
/* Loads a class for each line that it reads, which names the class, and calls its methods at once. */
import java.util.Scanner;

class LateFirst {
	static int twice(int n) { return 2 * n; }
	static void other() { }
}

class LateSecond {
	static int twice(int n) { return 2 * n; }
	static int twice(String s) { return 2 * s.length(); }
}

class LateThird extends Exception {
	static int twice(int n) { return 2 * n; }
}

class LateFourth {
	static int twice(int n) { return 2 * n; }
}

public class Late implements Runnable {
	public void run() {
		for (int i = 0; i < 100; i++)
			LateThird.twice(i);
	}

	public static void main(String[] args) throws Exception {
		Scanner in = new Scanner(System.in);
		int sum = 0;

		System.out.println("ready");
		while (in.hasNextLine()) {
			String what = in.nextLine();

			if (what.equals("first"))
				for (int i = 0; i < 100; i++)
					sum += LateFirst.twice(i);
			if (what.equals("second"))
				for (int i = 0; i < 50; i++)
					sum += LateSecond.twice(i) + LateSecond.twice("x");
			if (what.equals("third")) { /* four threads prepare it at once */
				Thread[] all = new Thread[4];
				for (int i = 0; i < 4; i++)
					(all[i] = new Thread(new Late())).start();
				for (Thread t : all)
					t.join();
			}
			if (what.equals("fourth"))
				sum += LateFourth.twice(1);
			System.out.println("done " + what + " " + sum);
		}
	}
}

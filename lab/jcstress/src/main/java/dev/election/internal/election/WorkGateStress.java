package dev.election.internal.election;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks the answers of a gate to two threads that use it at the same time, with work that a third one began, so that up to three cells
 * count. All outcomes that are not named are forbidden.
 */
final class WorkGateStress {

    private WorkGateStress() {}

    private static WorkGate open(int running) {
        WorkGate gate = new WorkGate(new WorkCells());
        gate.open();
        for (int work = 0; work < running; work++) {
            gate.enter();
        }
        return gate;
    }

    private static WorkGate closed(int running) {
        WorkGate gate = open(running);
        gate.close();
        return gate;
    }

    /** Work begins while the gate closes. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "Admitted and seen")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Not admitted")
    @State
    public static class Beginning {

        private final WorkGate gate = open(0);

        /** Begins work. */
        @Actor
        public void worker(ZZ_Result r) {
            r.r1 = gate.enter();
        }

        /** Closes. */
        @Actor
        public void loop(ZZ_Result r) {
            gate.close();
            r.r2 = gate.isClosedAndIdle();
        }
    }

    /** Work ends while the gate closes. */
    @JCStressTest
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Ended before the gate was closed")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The last one, after the loop looked")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "The last one, before the loop looked")
    @State
    public static class Ending {

        private final WorkGate gate = open(1);

        /** Ends work. */
        @Actor
        public void worker(ZZ_Result r) {
            r.r1 = gate.exit();
        }

        /** Closes. */
        @Actor
        public void loop(ZZ_Result r) {
            gate.close();
            r.r2 = gate.isClosedAndIdle();
        }
    }

    /** Work ends while the gate closes, opens and closes again. */
    @JCStressTest
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Ended while it was open")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The last one, after the loop looked")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "The last one, before the loop looked")
    @State
    public static class EndingBesideOpening {

        private final WorkGate gate = open(1);

        /** Ends work. */
        @Actor
        public void worker(ZZ_Result r) {
            r.r1 = gate.exit();
        }

        /** Closes, opens and closes. */
        @Actor
        public void loop(ZZ_Result r) {
            gate.close();
            gate.open();
            gate.close();
            r.r2 = gate.isClosedAndIdle();
        }
    }

    /** Work begins and ends while the gate closes: {@code r1} whether it was admitted, {@code r2} whether it was the last. */
    @JCStressTest
    @Outcome(id = "false, false, true", expect = ACCEPTABLE, desc = "Not admitted")
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "Ended before the gate was closed")
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "The last one, after the loop looked")
    @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "The last one, before the loop looked")
    @State
    public static class Passing {

        private final WorkGate gate = open(0);

        /** Begins and ends work. */
        @Actor
        public void worker(ZZZ_Result r) {
            r.r1 = gate.enter();
            r.r2 = r.r1 && gate.exit();
        }

        /** Closes. */
        @Actor
        public void loop(ZZZ_Result r) {
            gate.close();
            r.r3 = gate.isClosedAndIdle();
        }
    }

    /** The last two pieces of work end behind a closed gate. */
    @JCStressTest
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "The first was the last")
    @Outcome(id = "false, true, true", expect = ACCEPTABLE, desc = "The second was the last")
    @State
    public static class EndingTogether {

        private final WorkGate gate = closed(2);

        /** Ends work. */
        @Actor
        public void first(ZZZ_Result r) {
            r.r1 = gate.exit();
        }

        /** Ends work. */
        @Actor
        public void second(ZZZ_Result r) {
            r.r2 = gate.exit();
        }

        /** Looks afterwards. */
        @Arbiter
        public void loop(ZZZ_Result r) {
            r.r3 = gate.isClosedAndIdle();
        }
    }

    /** The last work behind a closed gate ends while a part joins it. */
    @JCStressTest
    @Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "The last one, and what is idle stays so")
    @Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The part came first, and runs")
    @State
    public static class Joining {

        private final WorkGate gate = closed(1);

        /** Ends work. */
        @Actor
        public void worker(ZZZ_Result r) {
            r.r1 = gate.exit();
        }

        /** Begins a part. */
        @Actor
        public void part(ZZZ_Result r) {
            r.r2 = gate.join();
        }

        /** Looks afterwards. */
        @Arbiter
        public void loop(ZZZ_Result r) {
            r.r3 = gate.isClosedAndIdle();
        }
    }

    /** A part joins while the gate closes: {@code r1} whether it did, {@code r2} whether the loop saw an idle gate, {@code r3} in the end. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The part runs")
    @Outcome(id = "false, true, true", expect = ACCEPTABLE, desc = "What is closed and idle stays so")
    @State
    public static class JoiningBesideClosing {

        private final WorkGate gate = open(0);

        /** Begins a part, of work that has ended. */
        @Actor
        public void part(ZZZ_Result r) {
            r.r1 = gate.join();
        }

        /** Closes. */
        @Actor
        public void loop(ZZZ_Result r) {
            gate.close();
            r.r2 = gate.isClosedAndIdle();
        }

        /** Looks afterwards. */
        @Arbiter
        public void later(ZZZ_Result r) {
            r.r3 = gate.isClosedAndIdle();
        }
    }
}

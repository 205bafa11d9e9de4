package dev.election.benchmarks;

/**
 * Two nodes inside this JVM over a real Redis, of which the first one leads.
 *
 * @param lab where they meet
 * @param leader who leads
 * @param follower who does not
 */
record Duel(Lab lab, Member leader, Member follower) implements AutoCloseable {

    static Duel begin() {
        try {
            Lab lab = new Lab();
            Member leader = Member.join(lab.redis().port(), "leader");
            Member follower = Member.join(lab.redis().port(), "follower");
            if (!leader.election().isLeader() || follower.election().isLeader()) {
                throw new IllegalStateException("The wrong one leads");
            }
            return new Duel(lab, leader, follower);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        follower.close();
        leader.close();
        lab.close();
    }
}

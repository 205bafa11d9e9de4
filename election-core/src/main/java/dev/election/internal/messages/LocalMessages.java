package dev.election.internal.messages;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.Membership;
import dev.election.internal.messages.WireMessage.Kind;
import dev.election.internal.requests.EngineContext;
import dev.election.members.AskReply;
import dev.election.members.AskReply.Reason;
import dev.election.members.Member;
import dev.election.members.MessageCount;
import dev.election.members.MessageHandler;
import dev.election.members.NodeMessages;
import dev.election.members.Recipient;
import dev.election.members.SendOutcome;
import dev.election.store.MemberMessaging;
import dev.election.support.DaemonThreads;
import dev.election.support.RandomId;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Messages for callers on any thread. {@link MessageExchange} runs on the loop. */
public final class LocalMessages implements NodeMessages {

    private static final Duration LONGEST = Duration.ofDays(1);

    private static final DaemonThreads THREADS = new DaemonThreads("election-message");

    /** Most kB of messages and questions without a result: without a bound, they would fill the memory if the store hangs. */
    private static final int MOST_UNDER_WAY = 8 * 1024;

    private final Membership membership;

    /** The longest wait until a message can be sent. */
    private final Duration lease;

    private final Loop loop;
    private final Clock clock;
    private final Executor callbacks;
    private final Counts counts = new Counts();
    private final Questions questions = new Questions();
    private final MessagePost post;
    private final MessageHandlers handlers;
    private final MessageExchange exchange;

    /** The kB that are left of {@link #MOST_UNDER_WAY}. */
    private final Semaphore room = new Semaphore(MOST_UNDER_WAY);

    /** Creates messages without handlers. */
    public LocalMessages(MemberMessaging messaging, Membership membership, EngineContext context) {
        this.membership = membership;
        this.lease = membership.own().lease();
        this.loop = context.loop();
        this.clock = context.clock();
        this.callbacks = context::callBack;
        this.post = new MessagePost(messaging, lease, counts);
        this.handlers = new MessageHandlers(membership, post, questions, loop, clock);
        HangWatch watch = new HangWatch(
                clock::nanos, look -> handlers.later(HangWatch.LONG.toNanos(), () -> callbacks.execute(look)));
        Inbox inbox = new Inbox(THREADS.unlimited(Duration.ofSeconds(5)), handlers::handle, watch, counts);
        Reception reception = new Reception(
                handlers, inbox, counts, clock::nanos, lease.dividedBy(10).toNanos());
        this.exchange = new MessageExchange(messaging, membership, loop, reception, questions);
        membership.addLifecycleListener(exchange);
    }

    /** Makes this process a member from now on. */
    public NodeMessages requested() {
        membership.request();
        return this;
    }

    @Override
    public CompletionStage<SendOutcome> send(Recipient to, String type, String body) {
        WireMessage message = message(Kind.MESSAGE, type, "", body);
        int size = size(message);
        if (!takeRoom(size)) {
            return told(CompletableFuture.completedFuture(SendOutcome.STORE_UNAVAILABLE));
        }
        CompletableFuture<SendOutcome> sent = whenReady(
                message, clock.nanos() + lease.toNanos(), own -> publish(to, own), SendOutcome.STORE_UNAVAILABLE);
        // A message may take two leases: one until it can be sent, one until the store has answered.
        return told(releasing(size, sent, SendOutcome.STORE_UNAVAILABLE, lease.multipliedBy(3)));
    }

    private CompletionStage<SendOutcome> publish(Recipient to, WireMessage message) {
        return to instanceof Recipient.One one
                ? find(one)
                        .map(member -> post.send(member.instance(), message))
                        .orElseGet(() -> CompletableFuture.completedFuture(SendOutcome.NO_SUCH_MEMBER))
                : post.sendToAll(message);
    }

    @Override
    public CompletionStage<AskReply> ask(Recipient.One to, String type, String body, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("A reply can be waited for between 0 and " + ReadableDuration.of(LONGEST)
                    + ", not " + ReadableDuration.of(timeout));
        }
        WireMessage question = message(Kind.QUESTION, type, RandomId.ofBytes(12), body);
        int size = size(question);
        if (!takeRoom(size)) {
            return told(CompletableFuture.completedFuture(
                    unavailable("Too many messages and questions of this process are under way, so nothing was sent")));
        }
        long until = clock.nanos() + timeout.toNanos();
        AskReply late =
                new AskReply.Unanswered(Reason.NO_REPLY, "No reply came within " + ReadableDuration.of(timeout));
        CompletableFuture<AskReply> answer = whenReady(
                question,
                until,
                own -> put(to, own, until, late),
                unavailable(
                        "This process is no member that hears messages, so nothing was sent: it has not started, has"
                                + " stopped, or the store can't be reached or refuses the channels"));
        return told(releasing(size, answer, late, timeout.plus(lease)));
    }

    private CompletionStage<AskReply> put(Recipient.One to, WireMessage question, long until, AskReply late) {
        Member asked = find(to).orElse(null);
        if (asked == null) {
            return CompletableFuture.completedFuture(
                    new AskReply.Unanswered(Reason.NO_SUCH_MEMBER, "This process knows no " + described(to)));
        }
        CompletableFuture<AskReply> answer = questions.add(question.id(), asked);
        Loop.Alarm alarm = loop.alarm(until, () -> answer.complete(late));
        CompletionStage<?> unusedEnd = answer.thenRun(() -> loop.offer(alarm::cancel));
        CompletionStage<?> unusedSending = post.send(asked.instance(), question).thenAccept(outcome -> {
            if (outcome != SendOutcome.PUBLISHED) {
                answer.complete(unavailable("The store gave no answer when the question was sent"));
            }
        });
        return answer;
    }

    private static AskReply unavailable(String detail) {
        return new AskReply.Unanswered(Reason.STORE_UNAVAILABLE, detail);
    }

    /**
     * Sends a message on the loop as soon as this process can.
     *
     * @param send sends the message of this process as it is then: its elections may have started meanwhile, under another instance
     * @param unsent the result if the message can't be sent until then
     */
    private <T> CompletableFuture<T> whenReady(
            WireMessage message, long until, Function<WireMessage, CompletionStage<T>> send, T unsent) {
        CompletableFuture<Boolean> ready = new CompletableFuture<>();
        CompletableFuture<T> result = ready.thenCompose(isReady -> isReady
                ? send.apply(message.by(membership.own().instance()))
                : CompletableFuture.completedFuture(unsent));
        boolean needsReply = message.kind() == Kind.QUESTION;
        if (!loop.offer(() -> exchange.await(needsReply, until, ready))) {
            ready.complete(false);
        }
        return result;
    }

    private static String described(Recipient.One to) {
        return to instanceof Recipient.LeaderOf leader
                ? "leader of the election '" + leader.election() + "'"
                : "member " + ((Recipient.OneMember) to).id();
    }

    private Optional<Member> find(Recipient.One to) {
        KnownMembers known = membership.known();
        if (to instanceof Recipient.LeaderOf leader) {
            return known.leader(leader.election());
        }
        String name = ((Recipient.OneMember) to).id();
        return known
                .where(member -> member.id().equals(name) || member.instance().equals(name))
                .stream()
                .reduce((earlier, later) -> later);
    }

    @Override
    public Registration handle(String type, MessageHandler handler) {
        requireType(type);
        if (!handlers.add(type, handler)) {
            throw new IllegalStateException("This process has a handler of messages of type '" + type + "' already");
        }
        loop.offer(exchange::hear);
        return () -> handlers.remove(type, handler);
    }

    @Override
    public long count(MessageCount what) {
        return counts.of(what);
    }

    private WireMessage message(Kind kind, String type, String id, String body) {
        return new WireMessage(kind, membership.own().instance(), type, id, body);
    }

    /** Takes room for a message. Returns false if too much is under way. */
    private boolean takeRoom(int size) {
        boolean isTaken = room.tryAcquire(size);
        if (!isTaken) {
            counts.add(MessageCount.NOT_PUBLISHED);
        }
        return isTaken;
    }

    /** Returns the room of a message when there is a result, by default after that time, since the loop may be closed meanwhile. */
    private <T> CompletableFuture<T> releasing(int size, CompletableFuture<T> result, T late, Duration atMost) {
        return result.completeOnTimeout(late, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((given, failure) -> room.release(size));
    }

    /** Completes a result for a caller on another thread. */
    private <T> CompletionStage<T> told(CompletableFuture<T> result) {
        return result.thenApplyAsync(Function.identity(), callbacks);
    }

    /** Returns the size of a message in kB. One kB is added for its objects. */
    private static int size(WireMessage message) {
        requireType(message.type());
        int bytes = message.bytes();
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("A message of type '" + message.type() + "' has " + bytes
                    + " bytes with its head, but may have " + MOST_BYTES
                    + ": send less, or a reference to what is kept elsewhere");
        }
        return 1 + bytes / 1024;
    }

    private static void requireType(String type) {
        if (!WireMessage.isType(type)) {
            throw new IllegalArgumentException(
                    "The type of a message must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + type + "'");
        }
    }
}

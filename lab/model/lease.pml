/*
 * The lease protocol: a few nodes, one store, discrete time.
 *
 * Every step below is one atomic event: a node sends, the store runs a script, a reply arrives, the clock ticks, ...
 * The order of the events is free, so pauses, slow networks and races are all covered. The search visits every order.
 *
 * The file is configured with -D switches. `check` in this folder runs the configurations that matter.
 */

/* ------------------------------------------------------------------------------------------------ size of the search */
#ifndef N
#define N 2             /* nodes */
#endif
#ifndef TTL
#define TTL 3           /* a lease, in ticks */
#endif
#ifndef SETTLE
#define SETTLE 1        /* the settle time, in ticks: shorter than a lease */
#endif
#ifndef CANDIDACIES
#define CANDIDACIES 2   /* how many candidacies a node may open; afterwards it only watches */
#endif
#ifndef MAXTICKS
#define MAXTICKS 0      /* 0: time goes on for ever, tokens just count. Otherwise the search ends after so many ticks, and
                           tokens also follow the store's clock: fewer than PER_TICK grants happen in one tick */
#endif
#define PER_TICK 4
#ifndef MAXTOK
#define MAXTOK 3        /* the highest token; a request that would be granted a higher one counts as lost */
#endif

/* ------------------------------------------------------------------------------------------------------------ faults */
#ifndef FORGETS
#define FORGETS 0       /* how often the store may forget everything */
#endif
#ifndef DELETES
#define DELETES 0       /* how often the lease alone may vanish from the store: deleted by hand or evicted */
#endif
#ifndef EVICTS
#define EVICTS 0        /* how often the lease may be taken from its holder by force */
#endif
#ifndef LATE
#define LATE 1          /* how many abandoned requests may be under way to the store at the same time */
#endif
#ifndef REPEATS
#define REPEATS 0       /* 1: an abandoned request may reach the store more than once */
#endif
#ifndef LATE_COUNTS
#define LATE_COUNTS 0   /* 1: the reply to an abandoned request counts as long as its own deadline is ahead; 0: it only tells of a token */
#endif
#ifndef ROLLBACK
#define ROLLBACK 0      /* 1: the store may restart once, with all that it knew at one earlier moment; 2: with some of its keys from then */
#endif
#ifndef PROMOTES
#define PROMOTES 0      /* how often another primary takes over, while nodes still reach the one before: first a copy as it was at one
                           earlier moment, then the one that was demoted, with its old data, and so on */
#endif
#ifndef TOLD
#define TOLD 0          /* 1: news of a promotion is quick: before the lock delay of the new primary ends, and before the lease at the old one does,
                           all nodes have moved, and the renewals of leaders have reached the new one */
#endif
#ifndef REPLICAS
#define REPLICAS 1      /* with PROMOTES: how many replicas the first primary has. One is promoted; each other one may stay with the old primary */
#endif
#ifndef STAY
#define STAY (REPLICAS - 1) /* how many of the others may stay with the old primary */
#endif
#ifndef CLOCK
#define CLOCK 0         /* the clock of the server that restarts or is promoted. 1: ahead, all that was to expire has; 2: behind, by as
                           long as the copy is old: nothing in it has expired since */
#endif
#ifndef EVENTS
#define EVENTS 0        /* 1: events with arbitrary content: any node may come to believe at any time that any token was granted */
#endif
#ifndef BLIND
#define BLIND 0         /* 1: the store can't tell one incarnation from another; a campaign says how long its connection has lasted */
#endif
#ifndef DRIFT
#define DRIFT 0         /* how many ticks a node's clock may miss between sending a request and the deadline got by it */
#endif
#ifndef RESTARTS
#define RESTARTS 0      /* 1: a node may restart and then has seen nothing */
#endif
#ifndef EMPTY
#define EMPTY 0         /* 0: at the start token 1 is history that all know of; 1: first start ever */
#endif
#ifndef CALLS_ARRIVE
#define CALLS_ARRIVE 0  /* 1: a roll call is heard, and the renewals that it causes reach the store, before the lock delay ends */
#endif
#ifndef DEAF
#define DEAF 0          /* 1: the nodes may not use channels: roll calls are refused, and whoever asks knows it */
#endif

/* ------------------------------------------------------------------------------------- guards: 1 there, 0 taken away */
#ifndef OWNER_EXTEND
#define OWNER_EXTEND 1  /* a campaign finds its own lease only if the candidacy is the same */
#endif
#ifndef OWNER_RENEW
#define OWNER_RENEW 1   /* only the holder's renewal extends a lease; 0: anyone's does, also a follower's look at it */
#endif
#ifndef OWNER_RELEASE
#define OWNER_RELEASE 1 /* only the holder's release deletes a lease */
#endif
#ifndef FROM_SEND
#define FROM_SEND 1     /* the deadline is counted from the moment of sending; 0: from the moment of the reply */
#endif
#ifndef MARGIN
#define MARGIN 1        /* the drift margin, in ticks */
#endif
#ifndef QUARANTINE
#define QUARANTINE 1    /* a store that has forgotten grants nothing for a full lease */
#endif
#ifndef DELETED
#define DELETED 1       /* a lease that vanished before its time is not granted to another until that time */
#endif
#ifndef SETTLING
#define SETTLING 1      /* a store that has no epoch grants nothing for the settle time */
#endif
#ifndef UPGRADE
#define UPGRADE 1       /* who has seen more than the store turns a settle delay into a quarantine; 0: any lock delay means wait */
#endif
#ifndef EXPIRY_RENEW
#define EXPIRY_RENEW 1  /* re-establishing needs an expiry that is still ahead */
#endif
#ifndef EXPIRY_RELEASE
#define EXPIRY_RELEASE 1 /* so does a release after the store forgot */
#endif
#ifndef TOKEN_CHECK
#define TOKEN_CHECK 1   /* both need that no higher token is known to the store */
#endif
#ifndef CLOSED_CHECK
#define CLOSED_CHECK 1  /* both need that the token was not released */
#endif
#ifndef CANDIDACY_IDS
#define CANDIDACY_IDS 1 /* every candidacy has an id of its own; 0: one id a node */
#endif
#ifndef LATE_RELEASE
#define LATE_RELEASE 1  /* a release also counts after the store forgot */
#endif
#ifndef AFTERMATH
#define AFTERMATH 1     /* a renewal or release that speaks for a forgotten lease starts a full lock delay; 0: it lifts the lock delay */
#endif
#ifndef DELAY_STAYS
#define DELAY_STAYS 1   /* an ordinary release leaves a lock delay alone; 0: it lifts the lock delay */
#endif
#ifndef EVICT_CLOSES
#define EVICT_CLOSES 1  /* an eviction closes the token as a release does */
#endif
#ifndef INCARNATION
#define INCARNATION 1   /* a store whose record was last written under another incarnation grants nothing for a full lease */
#endif
#ifndef NEVER_COPY
#define NEVER_COPY 1    /* that does not end by the age of the server alone where it was a replica since its start */
#endif
#ifndef OWN_WAITS
#define OWN_WAITS 1     /* during a lock delay a campaign does not extend the lease that its own candidacy holds */
#endif
#ifndef NEWER_STAYS
#define NEWER_STAYS 1   /* a renewal with a newer token takes the place of a lease that came back with old data; 0: it is lost */
#endif
#ifndef CONNECTED_FOR
#define CONNECTED_FOR 1 /* with BLIND: a campaign over a connection younger than a lease is granted nothing */
#endif
#ifndef ACKS
#define ACKS 0          /* how many replicas must have acknowledged a grant or a renewal, else its sender hears nothing; OWN_COUNT: as many as
                           the primary itself names as attached, at least one */
#endif
#define OWN_COUNT 9
#ifndef CALL_VOIDS
#define CALL_VOIDS 1    /* a candidate that hears a roll call ignores the grant under way to it and campaigns again, unless it is later */
#endif
#ifndef CALL_TIME
#define CALL_TIME 1     /* later: given after the call; 0: by the same incarnation of the store is enough */
#endif
#ifndef CALL_NAMES
#define CALL_NAMES 1    /* later: given by the incarnation of the store that sent the call; 0: whoever gave it */
#endif
#ifndef UNHEARD
#define UNHEARD 1       /* where roll calls are refused, the settle time is a lease */
#endif

/* ------------------------------------------------------------------------------- what is checked */
#ifndef CHECK_ALONE
#define CHECK_ALONE 1   /* never two leaders */
#endif
#ifndef CHECK_LENGTH
#define CHECK_LENGTH 0  /* a number: two leaders are no error until they have lasted for so many ticks (for known limits) */
#endif
#ifndef CHECK_KEPT
#define CHECK_KEPT 0    /* 1: no leader is told that its leadership is lost while its own deadline is ahead */
#endif
#ifndef CHECK_EVICTED
#define CHECK_EVICTED 0 /* 1: an evicted node counts as a leader, too, for as long as it believes that it is one */
#endif
#ifndef CHECK_ORDER
#define CHECK_ORDER 0   /* tokens rise from grant to grant */
#endif
#ifndef CHECK_CLOSED
#define CHECK_CLOSED 0  /* a released lease never comes back */
#endif
#ifndef CHECK_ENDED
#define CHECK_ENDED 0   /* nobody speaks for a lease that has run out: it is neither re-established nor released afterwards */
#endif
#ifndef CHECK_GHOST
#define CHECK_GHOST 0   /* a lease is never granted to a candidacy that its node has ended already */
#endif
#ifndef CHECK_SILENCE
#define CHECK_SILENCE 0 /* a lease does not outlive its holder's silence: ltl formula `nozombie` below */
#endif

/* --------------------------------------------------------------------------------------------------------- messages */
#define NONE     0
#define CAMPAIGN 1      /* requests */
#define RENEW    2
#define RELEASE  3
#define GRANTED  4      /* replies */
#define REFUSED  5      /* to a campaign: held by another, or wait */
#define RENEWED  6
#define LOST     7
#define DONE     8      /* to a release */

#if ROLLBACK || PROMOTES
#define STORES   2
#else
#define STORES   1
#endif

#define IS_REQUEST(m) (m.kind >= CAMPAIGN && m.kind <= RELEASE)
#define IS_REPLY(m)   (m.kind >= GRANTED)

typedef Message {
  byte kind;
  byte cand;            /* the candidacy that asks */
  byte tok;             /* request: the token renewed or released; reply: the token of the lease, 0 for none */
  byte seen;            /* campaign: the highest token that the candidate has seen */
#if CALLS_ARRIVE || TOLD
  bit after;            /* a grant by the incarnation of the store that has sent the last roll call, and later than that */
#endif
#if PROMOTES
  bit at;               /* the primary to which the request is on its way */
#endif
#if BLIND
  byte young;           /* ticks until the connection over which it was sent has lasted for a lease */
#endif
#if LATE_COUNTS
  byte left;            /* of an abandoned request: ticks until the deadline that a good reply to it would give */
#if DRIFT
  byte missed;          /* ticks that its sender's clock has missed since */
#endif
#endif
  byte expiry           /* the end of the lease as far as the sender knows it, by the store's clock: ticks still ahead */
}

/* ---------------------------------------------------------------------------------------------------------- the store */
typedef Store {
  byte s_holder;          /* the candidacy that holds the lease, 0: free */
  byte s_token;           /* its token */
  byte s_ttl;             /* ticks until the lease ends */
  bool s_known;           /* is there an epoch at all? */
  byte s_highest;         /* the highest token granted; 0 without an epoch */
  byte s_closed;          /* the last token released */
  byte s_delay;           /* ticks during which nobody may be granted; 0: no lock delay */
#if DELETES
  byte s_lasts;           /* ticks until the last lease given or extended ends; kept with the epoch */
#endif
#if STORES > 1
  bool changed;         /* the record was last written under another incarnation of the server */
  byte young            /* ticks until the age of the server alone proves that all beliefs of before have ended; NEVER: it does not */
#endif
}
#define NEVER (TTL + 1)
Store store[STORES];    /* [1]: a copy of an earlier moment, or the other primary */
#if PROMOTES
bit primary;             /* the primary that the Sentinels name */
bit here;               /* where a request is being run: scratch */
bool copied;            /* has replication stopped? */
#if ACKS
byte staying;           /* replicas that are still attached to the old primary, besides the one that is promoted */
bool demoted;           /* the old primary is a replica of the new one: it takes no requests, and acknowledges */
#endif
byte promotes = PROMOTES;
#else
#define primary 0
#define here 0
#endif
#if PROMOTES && TOLD
bit caller;             /* the primary that has sent the last roll call */
#else
#define caller here
#endif
#if ROLLBACK
byte phase;             /* 0: before the snapshot, 1: after it, 2: the store has restarted with it */
#endif
/* of the store at which a request is being run */
#define holder store[here].s_holder
#define token  store[here].s_token
#define ttl    store[here].s_ttl
#define known  store[here].s_known
#define highest store[here].s_highest
#define closed store[here].s_closed
#define delay  store[here].s_delay
#define lasts  store[here].s_lasts
#if DELETES
byte deletes = DELETES;
#endif
#if MAXTICKS
byte now = 1;           /* the store's clock, which never goes back */
#endif

/* ---------------------------------------------------------------------------------------------------------- the nodes */
typedef Node {
  byte cand;            /* number of the present candidacy; CANDIDACIES: all used up */
  byte seen;            /* the highest token seen in any reply */
  byte left;            /* ticks until the own deadline by the own clock: the node leads while this is positive */
  byte missed;          /* ticks that the own clock has missed since the request behind that deadline was sent */
  byte tok;             /* the token while leading */
  byte expiry;          /* while leading: the end of the lease as told by the last good reply, by the store's clock */
  Message m;            /* the request under way or its reply; one at a time */
  byte m_left;          /* ticks until the deadline that a good reply to it would give */
  byte m_missed;
#if PROMOTES
  bit at;               /* the primary that this node talks to */
#endif
#if BLIND
  byte young;           /* ticks until its connection has lasted for a lease */
#endif
  bool called           /* a roll call is on its way to this node (only with CALLS_ARRIVE), or the news of a promotion (with TOLD) */
}
Node node[N];
#if LATE > 0
Message late[LATE];     /* abandoned requests that may still reach the store */
#endif
byte forgets = FORGETS; /* how often the store may still forget */
#if EVICTS
byte evicts = EVICTS;   /* how often a holder may still be evicted */
byte evicted;           /* the tokens evicted so far, one bit each; a token granted once more starts anew. Kept for the checks only */
#define OUTCAST(i)   (!CHECK_EVICTED && (evicted & (1 << node[i].tok)) != 0)
#else
#define OUTCAST(i)   false
#endif

#define LEADS(i)     (node[i].left > 0)
#define RIGHTLY(i)   (LEADS(i) && !OUTCAST(i))
#define MAX(a, b)    ((a) > (b) -> (a) : (b))
#if CANDIDACY_IDS
#define ID(i)        ((i) * CANDIDACIES + node[i].cand + 1)
#define NODE_OF(id)  (((id) - 1) / CANDIDACIES)
#else
#define ID(i)        ((i) + 1)
#define NODE_OF(id)  ((id) - 1)
#endif
#define TWO_LEAD     (RIGHTLY(0) && RIGHTLY(1))
#if N == 2
#define ALONE(i)     (OUTCAST(i) || !RIGHTLY(1 - (i)))
#define CALL_PENDING (node[0].called || node[1].called)
#else
#define ALONE(i)     (OUTCAST(i) || (((i) == 0 || !RIGHTLY(0)) && ((i) == 1 || !RIGHTLY(1)) && ((i) == 2 || !RIGHTLY(2))))
#define CALL_PENDING (node[0].called || node[1].called || node[2].called)
#endif

/* kept for the checks only; no rule of the protocol looks at these */
#if CHECK_ORDER
byte top = 1 - EMPTY;   /* the highest token ever granted */
#endif
#if CHECK_CLOSED
byte released;          /* the tokens released so far, one bit each */
#endif
#if CHECK_ENDED
byte ended;             /* the tokens whose leases have run out at the store, one bit each; a token granted once more starts anew */
#endif
#if CHECK_LENGTH
byte both;              /* for how many ticks two have led */
#endif
#if CHECK_SILENCE
bool crashed;           /* node 0 is dead for good */
bool even;              /* changes with each tick, so that the formula can say "time goes on" */
#endif

/* scratch: set and used inside one step, so not part of the state */
hidden byte answer, answer_tok, answer_expiry, answer_after, k;

/* printf is silent in the search: it only tells the story of a trail */
inline say(what_kind) {
  if
  :: what_kind == CAMPAIGN -> printf("campaign")
  :: what_kind == RENEW -> printf("renew")
  :: what_kind == RELEASE -> printf("release")
  :: what_kind == GRANTED -> printf("granted")
  :: what_kind == REFUSED -> printf("refused")
  :: what_kind == RENEWED -> printf("renewed")
  :: what_kind == LOST -> printf("lost")
  :: what_kind == DONE -> printf("done")
  :: else -> printf("nothing")
  fi
}

/* ============================================================================================== what the store does */

/* Roll calls are events that may be lost, and a leader may renew at any time anyhow: only CALLS_ARRIVE has to track them. */
inline roll_call(on) {
#if CALLS_ARRIVE
  node[0].called = on; node[1].called = on;
#if N > 2
  node[2].called = on;
#endif
#endif
#if CALLS_ARRIVE || TOLD
  if :: on -> outdate_grants() :: else fi;
#endif
  skip
}
#if CALLS_ARRIVE || TOLD
/* All grants that are on their way are older than the call that is sent now. */
inline outdate_grants() {
#if PROMOTES && TOLD
  caller = here;
#endif
#if CALL_TIME
  node[0].m.after = 0; node[1].m.after = 0;
#if N > 2
  node[2].m.after = 0;
#endif
#if LATE > 0
  late[0].after = 0;
#endif
#if LATE > 1
  late[1].after = 0;
#endif
#endif
  skip
}
#endif
#define SETTLE_TIME (DEAF && UNHEARD -> TTL : SETTLE)
inline free_lease() { holder = 0; token = 0; ttl = 0 }
inline full_lease() {
  ttl = TTL;
#if DELETES
  lasts = TTL;
#endif
  skip
}

/* The checks on what the store does: when it has granted, closed or re-established, or when an earlier holder renews or releases. */
inline check_grant() {
#if CHECK_GHOST
  assert(holder == ID(NODE_OF(holder)));
#endif
#if CHECK_ORDER
  assert(token > top); top = token;
#endif
#if CHECK_ENDED
  ended = ended & ~(1 << token);
#endif
#if EVICTS
  evicted = evicted & ~(1 << token);
#endif
  skip
}
inline note_closed() {
#if CHECK_CLOSED
  released = released | (1 << closed);
#endif
  skip
}
inline check_not_closed() {
#if CHECK_CLOSED
  assert(!(released & (1 << token)));
#endif
  skip
}

#if CHECK_ENDED
#define NOT_ENDED(t) assert(!(ended & (1 << t)))
#else
#define NOT_ENDED(t) skip
#endif

#if MAXTICKS
#define NEXT_TOKEN(rq) MAX(MAX(highest, rq.seen) + 1, now * PER_TICK)
#define LAST_TOKEN     (now * PER_TICK + PER_TICK - 1)
#else
#define NEXT_TOKEN(rq) (MAX(highest, rq.seen) + 1)
#define LAST_TOKEN     MAXTOK
#endif

/* The record says under which incarnation of the server it was last written. If that was another one, the store may have lost what it
   acknowledged: nothing is granted for a full lease, so that a living leader can renew; unless the server is older than all leases. */
inline note_incarnation() {
#if STORES > 1 && !BLIND
  if
  :: store[here].changed ->
       store[here].changed = 0;
       if
       :: INCARNATION && known && store[here].young > 0 -> delay = MAX(delay, TTL); roll_call(1)
       :: else
       fi;
       store[here].young = 0
  :: else
  fi
#else
  skip
#endif
}
#if BLIND
#define TOO_YOUNG(rq) (CONNECTED_FOR && rq.young > 0)
#else
#define TOO_YOUNG(rq) false
#endif

/* campaign: answers GRANTED or REFUSED, with the token of the lease if there is one */
inline campaign(rq) {
  note_incarnation();
  if
  :: BLIND && TOO_YOUNG(rq) -> answer = REFUSED; roll_call(1)
  :: else -> if
  :: holder != 0 && OWN_WAITS && delay > 0 && holder == rq.cand -> answer = REFUSED
  :: else -> if
  :: holder != 0 && (holder == rq.cand || !OWNER_EXTEND) ->       /* an earlier reply was lost: extend */
       full_lease(); answer = GRANTED; answer_tok = token; answer_expiry = TTL
  :: else -> if
  :: holder != 0 ->                                               /* held by another */
       if :: !OWNER_RENEW -> full_lease() :: else fi;
       answer = REFUSED; answer_tok = token
  :: else -> if
  :: delay > 0 && !UPGRADE -> answer = REFUSED
  :: else -> if
  :: QUARANTINE && highest < rq.seen ->                            /* the store has forgotten */
       known = 1; highest = rq.seen; delay = MAX(delay, TTL); roll_call(1);
       answer = REFUSED
  :: else -> if
  :: delay > 0 -> answer = REFUSED
  :: else -> if
#if DELETES
  :: delay == 0 && DELETED && known && closed < highest && lasts > 0 -> /* not ended, not released: its holder may still lead */
       delay = lasts; roll_call(1);
       answer = REFUSED
#endif
  :: SETTLING && !known && rq.seen == 0 ->                         /* first start ever, or nobody here knows better */
       known = 1; highest = 0; delay = SETTLE_TIME; roll_call(1);
       answer = REFUSED
  :: else -> if
  :: NEXT_TOKEN(rq) <= LAST_TOKEN ->
       highest = NEXT_TOKEN(rq); known = 1;
       holder = rq.cand; token = highest; full_lease(); check_grant();
       answer = GRANTED; answer_tok = token; answer_expiry = TTL
  :: else -> answer = NONE                                        /* the bound of the search: counts as lost */
  fi fi fi fi fi fi fi fi fi
}

/* May this holder of old speak for the lease although the store has no lease now, or has an older one that came back with old data? */
#define MAY_CLAIM(rq, expiry_check) \
  ((holder == 0 || (NEWER_STAYS && STORES > 1 && rq.kind == RENEW && token < rq.tok)) && (!(expiry_check) || rq.expiry > 0) && (!TOKEN_CHECK || highest <= rq.tok) && (!CLOSED_CHECK || closed < rq.tok))

/* renew: answers RENEWED or LOST */
inline renew(rq) {
  note_incarnation();
  if
  :: holder != 0 && ((holder == rq.cand && token == rq.tok) || !OWNER_RENEW) ->
       full_lease(); answer = RENEWED; answer_tok = token; answer_expiry = TTL
  :: else -> if
  :: MAY_CLAIM(rq, EXPIRY_RENEW) ->                                /* the store has forgotten: re-establish */
       NOT_ENDED(rq.tok);
       holder = rq.cand; token = rq.tok; full_lease(); check_not_closed();
       known = 1; highest = rq.tok;
       delay = (AFTERMATH -> TTL : 0); roll_call(0);
       answer = RENEWED; answer_tok = token; answer_expiry = TTL
  :: else -> answer = LOST; answer_tok = token
  fi fi
}

/* release: the answer does not matter */
inline release(rq) {
  answer = DONE;
  if
  :: holder != 0 && ((holder == rq.cand && token == rq.tok) || !OWNER_RELEASE) ->
       free_lease(); closed = rq.tok; note_closed();
       if :: !DELAY_STAYS -> delay = 0 :: else fi
  :: else -> if
  :: LATE_RELEASE && MAY_CLAIM(rq, EXPIRY_RELEASE) ->              /* the store has forgotten: say that this lease is over */
       NOT_ENDED(rq.tok);
       known = 1; highest = MAX(highest, rq.tok); closed = rq.tok; note_closed();
       delay = (AFTERMATH -> TTL : 0); roll_call(0)
  :: else
  fi fi
}

#if ACKS
#define PROMOTED    (promotes < PROMOTES)
#define ATTACHED(x) ((x) == 0 -> (copied -> staying : REPLICAS) : (REPLICAS - 1 - staying) + demoted)
#define NEEDED(x)   (ACKS == OWN_COUNT -> MAX(ATTACHED(x), 1) : ACKS)
#define SERVED(rq)  (rq.at == primary || !demoted)
/* WAIT is sent right behind the script. Whoever is not told that enough replicas have acknowledged has no answer. */
inline await_acknowledgement(rq) {
  if
  :: (answer == GRANTED || answer == RENEWED) && ATTACHED(rq.at) < NEEDED(rq.at) ->
       printf("    not acknowledged: %d of %d\n", ATTACHED(rq.at), NEEDED(rq.at));
       answer = NONE; answer_tok = 0; answer_expiry = 0
  :: else
  fi
}
#else
#define SERVED(rq)  true
#define await_acknowledgement(rq) skip
#endif

inline run_script(rq) {
  if
  :: SERVED(rq) -> run_served(rq)
  :: else -> answer = NONE; answer_tok = 0; answer_expiry = 0       /* a replica refuses to write */
  fi
}

inline run_served(rq) {
#if PROMOTES
  here = rq.at;
#endif
  answer_tok = 0; answer_expiry = 0;
  if
  :: rq.kind == CAMPAIGN -> campaign(rq)
  :: rq.kind == RENEW -> renew(rq)
  :: rq.kind == RELEASE -> release(rq)
  fi;
  answer_after = (answer == GRANTED && (!CALL_NAMES || here == caller) -> 1 : 0);
  printf("  store runs "); say(rq.kind); printf(" of candidacy %d, token %d: ", rq.cand, rq.tok); say(answer);
  printf(" (now holder %d, token %d, ttl %d, highest %d, closed %d, delay %d)\n", holder, token, ttl, highest, closed, delay);
#if PROMOTES
  printf("    at primary %d\n", here);
  here = 0;
#endif
  await_acknowledgement(rq)
}

/* ================================================================================================ what a node does */

inline clear(rq) {
  rq.kind = NONE; rq.cand = 0; rq.tok = 0; rq.seen = 0; rq.expiry = 0;
#if CALLS_ARRIVE || TOLD
  rq.after = 0;
#endif
#if PROMOTES
  rq.at = 0;
#endif
#if BLIND
  rq.young = 0;
#endif
#if LATE_COUNTS
  rq.left = 0;
#if DRIFT
  rq.missed = 0;
#endif
#endif
  skip
}

inline nothing_under_way(i) { clear(node[i].m); node[i].m_left = 0; node[i].m_missed = 0 }

inline send(i, what) {
  printf("node %d sends ", i); say(what); printf(" (candidacy %d, token %d, seen %d)\n", ID(i), node[i].tok, node[i].seen);
  node[i].m.kind = what;
  node[i].m.cand = ID(i);
  node[i].m.tok = node[i].tok;
  node[i].m.expiry = node[i].expiry;
  if :: what == CAMPAIGN -> node[i].m.seen = node[i].seen :: else fi;
#if PROMOTES
  node[i].m.at = node[i].at;
#endif
#if BLIND
  if :: what == CAMPAIGN -> node[i].m.young = node[i].young :: else fi;
#endif
  if :: what != RELEASE -> node[i].m_left = TTL - MARGIN :: else fi  /* counted from sending */
}

/* The leadership is over, for whatever reason: the next attempt is a new candidacy. */
inline stop(i) {
  printf("node %d: candidacy %d is over\n", i, ID(i));
  node[i].left = 0; node[i].missed = 0; node[i].tok = 0; node[i].expiry = 0;
  node[i].m_left = 0; node[i].m_missed = 0;
  if :: node[i].cand < CANDIDACIES -> node[i].cand++ :: else fi
}

inline check_alone(i) {
#if !CHECK_LENGTH
  assert(!CHECK_ALONE || ALONE(i));                               /* never two leaders */
#endif
  skip
}

inline lead(i) {
  if
  :: FROM_SEND && node[i].left > node[i].m_left                   /* a late reply has come before, to a question asked later */
  :: else -> node[i].left = (FROM_SEND -> node[i].m_left : TTL - MARGIN); node[i].missed = node[i].m_missed
  fi;
  node[i].tok = node[i].m.tok;
  node[i].expiry = MAX(node[i].expiry, node[i].m.expiry);
  check_alone(i)
}

inline check_kept(i) {
#if CHECK_KEPT
  assert(!CHECK_KEPT || node[i].seen > node[i].tok);              /* a leader is not told so unless a newer one was granted */
#endif
  skip
}

#define see(i, t) node[i].seen = MAX(node[i].seen, t)

#define FRESH_REPLY(i) (node[i].m.cand == ID(i) && (node[i].m_left > 0 || !FROM_SEND))

inline take_reply(i) {
  see(i, node[i].m.tok);
  if
  :: node[i].m.kind == GRANTED && FRESH_REPLY(i) -> lead(i)
  :: node[i].m.kind == RENEWED && FRESH_REPLY(i) && LEADS(i) -> lead(i)
  :: node[i].m.kind == LOST && node[i].m.cand == ID(i) && LEADS(i) -> check_kept(i); stop(i)
  :: else                                                         /* worthless by now */
  fi;
  printf("node %d gets its reply, ticks to its deadline: %d\n", i, node[i].left);
  nothing_under_way(i)
}

inline abandon_to(i, slot) {
  slot.kind = node[i].m.kind; slot.cand = node[i].m.cand; slot.tok = node[i].m.tok;
  slot.seen = node[i].m.seen; slot.expiry = node[i].m.expiry;
#if PROMOTES
  slot.at = node[i].m.at;
#endif
#if BLIND
  slot.young = node[i].m.young;
#endif
#if LATE_COUNTS
  slot.left = node[i].m_left;
#if DRIFT
  slot.missed = node[i].m_missed;
#endif
#endif
  printf("node %d gives up waiting; the request is still under way\n", i);
  nothing_under_way(i)
}

#if PROMOTES
#define AT_PRIMARY(i) (node[i].m.at == primary)
#define MOVED(i)      (node[i].at == primary)
#else
#define AT_PRIMARY(i) true
#define MOVED(i)      true
#endif
#define IDLE(i) (node[i].m.kind == NONE)
#if CHECK_SILENCE
#define ALIVE(i) ((i) != 0 || !crashed)
#else
#define ALIVE(i) true
#endif

/* Granted before the news, as far as is known: nothing of it counts. What the store has yet to run is later than its call, but a node that moves
   does not know where it will be run. */
#if CALLS_ARRIVE || TOLD
#define CALLED_THERE(slot) (slot.after)
#else
#define CALLED_THERE(slot) false
#endif
#if PROMOTES
#define ASKS_CALLER(slot)  (!CALL_NAMES || slot.at == caller)
#else
#define ASKS_CALLER(slot)  true
#endif
#define OUTDATED(slot)     ((slot.kind == CAMPAIGN && (moves || !ASKS_CALLER(slot))) || (slot.kind == GRANTED && (moves || !CALLED_THERE(slot))))
inline void(i, moves) {
  if :: CALL_VOIDS && OUTDATED(node[i].m) -> nothing_under_way(i) :: else fi;
#if LATE_COUNTS && LATE > 0
  if :: CALL_VOIDS && OUTDATED(late[0]) && NODE_OF(late[0].cand) == i -> late[0].left = 0 :: else fi;
#endif
#if LATE_COUNTS && LATE > 1
  if :: CALL_VOIDS && OUTDATED(late[1]) && NODE_OF(late[1].cand) == i -> late[1].left = 0 :: else fi;
#endif
  skip
}

/* The reply to an abandoned request arrives. */
inline take_late_reply(i, slot) {
  see(i, slot.tok);
  if
  :: slot.kind == GRANTED && slot.cand == ID(i) && slot.left > 0 && !LEADS(i) -> lead_late(i, slot)
  :: slot.kind == RENEWED && slot.cand == ID(i) && slot.left > 0 && LEADS(i) -> lead_late(i, slot)
  :: slot.kind == LOST && slot.cand == ID(i) && LEADS(i) -> stop(i)
  :: else
  fi;
  printf("node %d gets a late reply, ticks to its deadline: %d\n", i, node[i].left);
  clear(slot)
}
inline lead_late(i, slot) {
  if
  :: slot.left > node[i].left ->
       node[i].left = slot.left;
#if DRIFT
       node[i].missed = slot.missed;
#endif
  :: else
  fi;
  node[i].tok = slot.tok;
  node[i].expiry = MAX(node[i].expiry, slot.expiry);
  check_alone(i)
}

proctype Participant(byte i) {
  do
  /* ask */
  :: d_step { ALIVE(i) && IDLE(i) && !LEADS(i) && node[i].cand < CANDIDACIES -> send(i, CAMPAIGN) }
  :: d_step { ALIVE(i) && IDLE(i) && LEADS(i) -> send(i, RENEW) }
  :: d_step { ALIVE(i) && IDLE(i) && LEADS(i) -> send(i, RELEASE); stop(i) }   /* one step: it believes nothing when it sends */

  /* the store runs the request */
  :: d_step { IS_REQUEST(node[i].m) ->
       run_script(node[i].m);
#if CALLS_ARRIVE || TOLD
       if :: node[i].m.kind == RENEW && node[i].m.cand == ID(i) && AT_PRIMARY(i) && (answer == RENEWED || !TOLD) -> node[i].called = 0 :: else fi;
#endif
       if
       :: answer == NONE || answer == DONE -> nothing_under_way(i)
       :: else ->
#if CALLS_ARRIVE || TOLD
            node[i].m.after = answer_after;
#endif
            node[i].m.kind = answer; node[i].m.tok = answer_tok; node[i].m.expiry = answer_expiry; node[i].m.seen = 0
       fi }

  /* the reply arrives, or is lost, or arrives after the sender gave up on it and only tells of a token */
  :: d_step { ALIVE(i) && IS_REPLY(node[i].m) -> take_reply(i) }
  :: d_step { IS_REPLY(node[i].m) -> nothing_under_way(i) }
  :: d_step { IS_REPLY(node[i].m) && node[i].m.tok > node[i].seen -> see(i, node[i].m.tok); nothing_under_way(i) }

  /* give up waiting: the request is lost, or reaches the store some time later */
  :: d_step { IS_REQUEST(node[i].m) -> nothing_under_way(i) }
#if LATE > 0
  :: d_step { IS_REQUEST(node[i].m) && late[0].kind == NONE -> abandon_to(i, late[0]) }
#endif
#if LATE > 1
  :: d_step { IS_REQUEST(node[i].m) && late[0].kind != NONE && late[1].kind == NONE -> abandon_to(i, late[1]) }
#endif

#if RESTARTS
  /* the process dies and starts again with an empty memory */
  :: d_step { IDLE(i) && node[i].cand < CANDIDACIES && (LEADS(i) || node[i].seen > 0) ->
       printf("node %d restarts\n", i); stop(i); node[i].seen = 0 }
#endif
#if CHECK_SILENCE
  :: d_step { i == 0 && LEADS(0) && !crashed -> crashed = 1; nothing_under_way(0); stop(0); printf("node 0 is dead\n") }
#endif
#if CALLS_ARRIVE || TOLD
  /* A roll call reaches one who does not lead. (A leader answers it with a renewal, see `called` above.) */
  :: d_step { node[i].called && !LEADS(i) && MOVED(i) ->
       printf("node %d hears the roll call\n", i);
       node[i].called = 0; void(i, 0) }
#endif
#if PROMOTES
  /* The node hears of the other primary, and asks it from now on. A grant under way from the old one is void. */
  :: d_step { node[i].at != primary ->
       printf("node %d moves to primary %d\n", i, primary);
       node[i].at = primary; void(i, 1);
#if BLIND
       node[i].young = TTL;
#endif
       if :: !LEADS(i) -> node[i].called = 0 :: else fi }
#endif
#if EVENTS
  /* A message that anybody may have written says that some token was granted. */
  :: d_step { node[i].seen < MAXTOK -> printf("node %d is told of another token\n", i); node[i].seen++ }
#endif
  od
}

/* ============================================================================= time, late messages and forgetting */

inline arrives(slot) {
  run_script(slot);
  if :: !REPEATS -> clear(slot) :: else fi
}

#if LATE_COUNTS
/* The same, and the reply is on its way. (A request that repeats has its replies lost: its slot has room for only one of both.) */
inline arrives_and_answers(slot) {
  run_script(slot);
#if CALLS_ARRIVE || TOLD
  slot.after = answer_after;
#endif
  slot.kind = answer; slot.tok = answer_tok; slot.expiry = answer_expiry; slot.seen = 0;
  if :: ACKS && answer == NONE -> clear(slot) :: else fi
}
#define ANSWERABLE(slot) ((slot.kind == CAMPAIGN || slot.kind == RENEW) && slot.left > 0)
#define LATE_REPLIES(slot) \
  :: d_step { ANSWERABLE(slot) -> arrives_and_answers(slot) } \
  :: d_step { IS_REPLY(slot) -> k = NODE_OF(slot.cand); take_late_reply(k, slot) } \
  :: d_step { IS_REPLY(slot) -> clear(slot) }
#endif

/* May the clock of node i miss this tick? The allowance is for each span from a request to the deadline got by it. */
#define MAY_MISS(i) (DRIFT > 0 && LATE_MAY_MISS(i) && (LEADS(i) -> node[i].missed < DRIFT : (node[i].m_left > 0 && node[i].m_missed < DRIFT)))
#if LATE_COUNTS && DRIFT && LATE
#define LATE_MAY_MISS(i) (late[0].kind == NONE || NODE_OF(late[0].cand) != (i) || late[0].missed < DRIFT)
#else
#define LATE_MAY_MISS(i) true
#endif

byte slow;              /* the nodes whose clocks miss the present tick, one bit each; 0 between ticks */

inline down(x) { if :: x > 0 -> x-- :: else fi }

inline own_clock(i) {
  if
  :: slow & (1 << i) ->
       if :: LEADS(i) -> node[i].missed++ :: else fi;
       if :: node[i].m_left > 0 -> node[i].m_missed++ :: else fi
  :: else ->
       down(node[i].m_left);
       if :: node[i].m_left == 0 -> node[i].m_missed = 0 :: else fi;
       if :: node[i].left == 1 -> stop(i) :: else -> down(node[i].left) fi   /* at the deadline it stops by itself */
  fi
}

inline late_tick(slot) {
  down(slot.expiry);
#if BLIND
  down(slot.young);
#endif
#if LATE_COUNTS
#if DRIFT
  if
  :: slot.left > 0 && (slow & (1 << NODE_OF(slot.cand))) -> slot.missed++
  :: else -> down(slot.left)
  fi;
#else
  down(slot.left);
#endif
  if :: IS_REPLY(slot) && slot.left == 0 && slot.kind != LOST -> slot.kind = REFUSED; slot.expiry = 0 :: else fi;
#endif
  skip
}

inline store_tick(x) {
  if
  :: store[x].s_ttl == 1 -> store[x].s_holder = 0; store[x].s_token = 0; store[x].s_ttl = 0
  :: else -> down(store[x].s_ttl)
  fi;
  down(store[x].s_delay);
#if DELETES
  down(store[x].s_lasts);
#endif
#if STORES > 1
  if :: store[x].young < NEVER -> down(store[x].young) :: else fi;
#endif
  skip
}

inline tick() {
#if CHECK_LENGTH
  /* before the tick, so that it counts whole ticks */
  if :: TWO_LEAD -> both++; assert(both < CHECK_LENGTH || !(node[0].left > 0)) :: else -> both = 0 fi;
#endif
#if CHECK_ENDED
  if :: ttl == 1 -> ended = ended | (1 << token) :: else fi;
#endif
  store_tick(0);
#if STORES > 1
#if CLOCK == 2 && ROLLBACK
  skip;                                                           /* the copy stays as it is until it is used */
#elif CLOCK == 2
  if :: primary == 0 && promotes == PROMOTES -> skip :: else -> store_tick(1) fi;
#else
  store_tick(1);
#endif
#endif
  k = 0;
  do
  :: k < N -> own_clock(k); down(node[k].expiry); down(node[k].m.expiry); k++
  :: else -> break
  od;
#if BLIND
  down(node[0].young); down(node[1].young); down(node[0].m.young); down(node[1].m.young);
#endif
#if LATE > 0
  late_tick(late[0]);
#endif
#if LATE > 1
  late_tick(late[1]);
#endif
#if CHECK_SILENCE
  even = !even;
#endif
#if MAXTICKS
  now++;
#endif
  printf("  tick (clocks that miss it: %d)\n", slow);
  slow = 0
}

/* With CALLS_ARRIVE the lock delay does not end before everybody has heard the roll call. */
#define CALLS_HEARD ((!(CALLS_ARRIVE || TOLD) || store[primary].s_delay != 1 || !CALL_PENDING) && OLD_LEASE_WAITS)
#if TOLD
#define ALL_MOVED (node[0].at == primary && node[1].at == primary)
#if BLIND
#define NOBODY_OF_AGE (node[0].young != 1 && node[1].young != 1)
#else
#define NOBODY_OF_AGE true
#endif
#define OLD_LEASE_WAITS (promotes == PROMOTES || (store[1 - primary].s_ttl != 1 && NOBODY_OF_AGE) || (ALL_MOVED && !CALL_PENDING))
#else
#define OLD_LEASE_WAITS true
#endif
#if MAXTICKS
#define MAY_TICK (CALLS_HEARD && now < MAXTICKS)
#else
#define MAY_TICK CALLS_HEARD
#endif

#if STORES > 1
inline copy_lease(from, to) {
  store[to].s_holder = store[from].s_holder; store[to].s_token = store[from].s_token; store[to].s_ttl = store[from].s_ttl
}
inline copy_epoch(from, to) {
  store[to].s_known = store[from].s_known; store[to].s_highest = store[from].s_highest; store[to].s_closed = store[from].s_closed;
#if DELETES
  store[to].s_lasts = store[from].s_lasts;
#endif
  skip
}
inline copy(from, to) { copy_lease(from, to); copy_epoch(from, to); store[to].s_delay = store[from].s_delay }
inline old_lease() { copy_lease(1, 0) }
inline old_epoch() { copy_epoch(1, 0) }
inline old_delay() { store[0].s_delay = store[1].s_delay }
/* Expiries are absolute: where the clock is ahead, all have passed. */
inline jump(x) {
#if CLOCK == 1
  store[x].s_holder = 0; store[x].s_token = 0; store[x].s_ttl = 0; store[x].s_delay = 0;
#if DELETES
  store[x].s_lasts = 0;
#endif
  node[0].expiry = 0; node[1].expiry = 0; node[0].m.expiry = 0; node[1].m.expiry = 0;
#if LATE > 0
  late[0].expiry = 0;
#endif
#endif
  skip
}
inline restarted() {
  phase = 2; jump(0);
  store[1].s_holder = 0; store[1].s_token = 0; store[1].s_ttl = 0; store[1].s_known = 0; store[1].s_highest = 0; store[1].s_closed = 0; store[1].s_delay = 0;
#if DELETES
  store[1].s_lasts = 0;
#endif
  store[0].changed = 1; store[0].young = TTL;
#if BLIND
  /* no connection outlives the server, and what was sent over it needs another one */
  node[0].young = TTL; node[1].young = TTL;
  young_again(node[0].m); young_again(node[1].m);
#if LATE > 0
  young_again(late[0]);
#endif
#endif
  skip
}
inline young_again(rq) { if :: rq.kind == CAMPAIGN -> rq.young = TTL :: else fi }
#endif

proctype Environment() {
  do
#if DRIFT > 0
  :: atomic { MAY_TICK ->
       if :: MAY_MISS(0) -> slow = slow | 1 :: true fi;
       if :: MAY_MISS(1) -> slow = slow | 2 :: true fi;
#if N > 2
       if :: MAY_MISS(2) -> slow = slow | 4 :: true fi;
#endif
       d_step { tick() } }
#else
  :: d_step { MAY_TICK -> tick() }
#endif

  /* an abandoned request reaches the store; nobody waits for the reply, which may at most tell its sender of a token */
#if LATE > 0
  :: d_step { IS_REQUEST(late[0]) -> arrives(late[0]) }
#if LATE_COUNTS
  LATE_REPLIES(late[0])
#endif
#if !RESTARTS
  :: d_step { IS_REQUEST(late[0]) && late[0].kind != RELEASE && (store[primary].s_holder == 0 || store[primary].s_token > node[NODE_OF(late[0].cand)].seen) ->
       k = NODE_OF(late[0].cand); arrives(late[0]); see(k, answer_tok) }
#endif
#if REPEATS
  :: d_step { late[0].kind != NONE -> clear(late[0]) }
#endif
#endif
#if LATE > 1
  :: d_step { IS_REQUEST(late[1]) -> arrives(late[1]) }
#if LATE_COUNTS
  LATE_REPLIES(late[1])
#endif
#if REPEATS
  :: d_step { late[1].kind != NONE -> clear(late[1]) }
#endif
#endif

  /* the store restarts empty */
#if FORGETS
  :: d_step { forgets > 0 && (known || holder != 0) ->
       printf("  THE STORE FORGETS\n");
       forgets--; free_lease(); known = 0; highest = 0; closed = 0; delay = 0; roll_call(0);
#if DELETES
       lasts = 0
#endif
     }
#endif
#if ROLLBACK
  :: d_step { phase == 0 -> printf("  THE STORE IS SAVED\n"); phase = 1; copy(0, 1) }
#if ROLLBACK == 1
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH OLD DATA\n"); old_lease(); old_epoch(); old_delay(); restarted() }
#else
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH THE OLD LEASE\n"); old_lease(); restarted() }
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH THE OLD EPOCH\n"); old_epoch(); restarted() }
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH THE OLD LOCK DELAY\n"); old_delay(); restarted() }
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH ALL BUT THE OLD LEASE\n"); old_epoch(); old_delay(); restarted() }
  :: d_step { phase == 1 -> printf("  THE STORE RESTARTS WITH ALL BUT THE OLD EPOCH\n"); old_lease(); old_delay(); restarted() }
#endif
#endif
#if PROMOTES
  :: d_step { !copied -> printf("  REPLICATION STOPS\n"); copied = 1; copy(0, 1);
#if ACKS
       staying = STAY
#endif
     }
#if ACKS
  :: d_step { staying > 0 && PROMOTED -> printf("  ANOTHER REPLICA FOLLOWS THE NEW PRIMARY\n"); staying-- }
  :: d_step { PROMOTED && !demoted -> printf("  THE OLD PRIMARY FOLLOWS THE NEW ONE\n"); demoted = 1 }
#endif
  :: d_step { copied && promotes > 0 && (promotes == PROMOTES || !TOLD || (node[0].at == primary && node[1].at == primary && !CALL_PENDING)) ->
       promotes--; primary = 1 - primary;
       printf("  PRIMARY %d IS PROMOTED\n", primary);
       store[primary].changed = 1; jump(primary);
       store[primary].young = (NEVER_COPY -> NEVER : 0);
#if TOLD
       node[0].called = 1; node[1].called = 1
#endif
     }
#endif
#if EVICTS
  /* whoever holds the lease is evicted, and need not hear of it */
  :: d_step { evicts > 0 && holder != 0 ->
       printf("  candidacy %d IS EVICTED, token %d\n", holder, token);
       evicts--; evicted = evicted | (1 << token);
#if CHECK_CLOSED
       released = released | (1 << token);
#endif
       if :: EVICT_CLOSES -> closed = token :: else fi;
       free_lease() }
#endif
#if DELETES
  /* only the lease vanishes */
  :: d_step { deletes > 0 && holder != 0 -> printf("  THE LEASE VANISHES\n"); deletes--; free_lease() }
#endif
  od
}

init {
  atomic {
    known = 1 - EMPTY; highest = 1 - EMPTY;
    node[0].seen = highest; run Participant(0);
    node[1].seen = highest; run Participant(1);
#if N > 2
    node[2].seen = highest; run Participant(2);
#endif
    run Environment()
  }
}

#if CHECK_SILENCE
/* As long as time goes on, a dead node's lease ends: nobody has to delete it by hand. */
ltl nozombie { ([]<> even && []<> !even) -> [] ((crashed && holder != 0 && NODE_OF(holder) == 0) -> <> !(holder != 0 && NODE_OF(holder) == 0)) }
#endif

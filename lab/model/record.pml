/*
 * The lease protocol over a store that keeps one record as a whole: it offers only read and compare-and-replace, and has no clock.
 *
 * A request of a node reads the record, decides by the lease rules, and replaces the record on the condition that the bytes are still those
 * that were read. The end of the lease and that of a lock delay have an id each, that of the write that set it, and the length they were made
 * for. A node counts the length on its own clock since it first saw the id. So no time needs a place in the state, and time goes on for ever.
 *
 * Every step below is one atomic event, in any order. The read and the decision are one step: a request that began earlier would only
 * believe for less long. `check` in this folder runs the configurations that matter.
 */

/* ------------------------------------------------------------------------------------------------ size of the search */
#ifndef N
#define N 2             /* nodes */
#endif
#ifndef TTL
#define TTL 3           /* a lease, in ticks */
#endif
#ifndef SETTLE
#define SETTLE 1        /* the settle time, in ticks */
#endif
#ifndef CANDIDACIES
#define CANDIDACIES 2   /* how many candidacies a node may open; afterwards it only watches */
#endif
#ifndef MAXTOK
#define MAXTOK 3        /* the highest token; a request that would be granted a higher one counts as lost */
#endif

/* ------------------------------------------------------------------------------------------------------------ faults */
#ifndef FORGETS
#define FORGETS 0       /* how often the record may be deleted; the store and its incarnation stay the same */
#endif
#ifndef RESTORES
#define RESTORES 0      /* how often the store may be restored to an earlier moment, and has another incarnation then */
#endif
#ifndef LATE
#define LATE 1          /* how many abandoned writes may be under way to the store at the same time */
#endif
#ifndef REPEATS
#define REPEATS 0       /* 1: an abandoned write may be carried out more than once, and while its sender still waits for the reply */
#endif
#ifndef TOUCHES
#define TOUCHES 1       /* 1: a refused candidate may write the record nevertheless (its place in the queue) */
#endif
#ifndef DRIFT
#define DRIFT 0         /* how many ticks a node's clock may miss between a request and the deadline got by it */
#endif
#ifndef RESTARTS
#define RESTARTS 0      /* 1: a node may restart and then has seen nothing */
#endif
#ifndef EMPTY
#define EMPTY 0         /* 0: at the start token 1 is history that all know of; 1: first start ever, there is no record */
#endif

/* ------------------------------------------------------------------------------------- guards: 1 there, 0 taken away */
#ifndef CONDITION
#define CONDITION 1     /* a write is conditional on the bytes read, by their write id; 0: on a version, which starts anew with a new record;
                           2: on nothing */
#endif
#ifndef OBSERVED
#define OBSERVED 1      /* an end counts from the first sight of its id, that of the write that set it; 0: the end of a lease from that of the
                           grant; 2: from that of the version that set it; 3: from that of these bytes, whatever was written */
#endif
#ifndef SIGHT
#define SIGHT 1         /* the first sight is when the reply to the read is there; 0: when the request began */
#endif
#ifndef WHOLE
#define WHOLE 1         /* whoever leaves a lock delay as it is writes its whole length; 0: what is left by the own observation */
#endif
#ifndef OWN_SIGHT
#define OWN_SIGHT 1     /* an end that a node set itself counts from when it first saw that it is there: the reply, or a later read;
                           0: from its decision; 2: from its decision, but from the first sight if its bytes created the record;
                           3: from its decision if the reply came, and from the first sight if the outcome was unknown */
#endif
#ifndef CREATE_ONCE
#define CREATE_ONCE 1   /* a write that creates the record is sent once: if its outcome is unknown, the node reads again; 0: it may be sent again */
#endif
#ifndef FROM_SEND
#define FROM_SEND 1     /* belief is counted from the request; 0: from the reply */
#endif
#ifndef FIRST_SEND
#define FIRST_SEND 1    /* where a write was sent more than once, from the first time; 0: from the last */
#endif
#ifndef MARGIN
#define MARGIN 1        /* the drift margin, in ticks */
#endif
#ifndef OWN_ID
#define OWN_ID 1        /* a conflict with the writer's own write id counts as written; 0: as not written */
#endif
#ifndef FOREIGN_ID
#define FOREIGN_ID 1    /* a conflict with another's write id counts as not written; 0: as written */
#endif
#ifndef UNKNOWN
#define UNKNOWN 1       /* a write whose outcome is unknown is not believed; 0: it is */
#endif
#ifndef UNKNOWN_RELEASE
#define UNKNOWN_RELEASE 1 /* a leader stops when it sends the release; 0: when it is answered: it leads on if the outcome is unknown */
#endif
#ifndef INCARNATION
#define INCARNATION 1   /* nothing is granted for a lease where another incarnation wrote the record */
#endif
#ifndef YOUNG
#define YOUNG 1         /* ... unless the present one is older than a lease; 0: also then */
#endif
#ifndef NOTED
#define NOTED 1         /* the record names the incarnation under which it was read; 0: the one that carried out the write */
#endif
#ifndef REPLY_INCARNATION
#define REPLY_INCARNATION 1 /* a reply of another incarnation than the one of the read counts as unknown; 0: it counts */
#endif
#ifndef UNTOLD
#define UNTOLD 0        /* 1: the store does not tell its incarnation, only how old a connection is to a server that takes writes */
#endif
#ifndef CONNECTED
#define CONNECTED 1     /* ... and grants only over a connection that is older than a lease */
#endif
#ifndef SINCE_SENT
#define SINCE_SENT 1    /* ... and a write counts if its connection is older than the sending of the read; 0: than the reply to it */
#endif
#ifndef TAKES_WRITES
#define TAKES_WRITES 1  /* ... and a connection counts from when its server took writes; 0: one to the standby from when it was made */
#endif
#ifndef QUARANTINE
#define QUARANTINE 1    /* nothing is granted for a lease where the record has a lower token than the candidate has seen */
#endif
#ifndef SETTLING
#define SETTLING 1      /* without a record, nothing is granted for the settle time */
#endif
#ifndef OWNER_EXTEND
#define OWNER_EXTEND 1  /* a campaign finds its own lease only if the candidacy is the same */
#endif
#ifndef OWN_WAITS
#define OWN_WAITS 1     /* during a lock delay a campaign does not extend the lease that its own candidacy holds */
#endif
#ifndef OWNER_RELEASE
#define OWNER_RELEASE 1 /* only the holder's release frees the lease */
#endif
#ifndef EXPIRY
#define EXPIRY 1        /* re-establishing and releasing a forgotten lease need an end that is still ahead */
#endif
#ifndef TOKEN_CHECK
#define TOKEN_CHECK 1   /* ... and that no higher token is known */
#endif
#ifndef CLOSED_CHECK
#define CLOSED_CHECK 1  /* ... and that the token was not released */
#endif
#ifndef NEWER_STAYS
#define NEWER_STAYS 1   /* a renewal with a newer token takes the place of a lease that came back */
#endif
#ifndef AFTERMATH
#define AFTERMATH 1     /* a forgotten lease that is spoken for starts a lock delay of a lease */
#endif
#ifndef CANDIDACY_IDS
#define CANDIDACY_IDS 1 /* every candidacy has an id of its own; 0: one id a node */
#endif

/* ------------------------------------------------------------------------------- what is checked */
#ifndef CHECK_ALONE
#define CHECK_ALONE 1   /* never two leaders */
#endif
#ifndef CHECK_ORDER
#define CHECK_ORDER 0   /* tokens rise from grant to grant */
#endif
#ifndef CHECK_ENDS
#define CHECK_ENDS 0    /* nobody is refused because of a lease that he has known, not renewed, for its length */
#endif

/* -------------------------------------------------------------------------------------------- the record and the store */
#define ABSENT  0       /* write ids are 1 to 29, given anew once nobody knows them any more */
#define NEVER   30      /* no write id that can ever be in the store (again) */

typedef Record {
  byte wid;             /* the write id; ABSENT: there is no record */
  byte holder;          /* the candidacy that holds the lease, 0: free */
  byte token;           /* its token */
  byte lease_id;        /* of the last grant or renewal; outlasts the lease */
  byte delay;           /* the length of the lock delay, in which nobody may be granted; 0: there is none */
  byte delay_id;        /* what began it */
  byte highest;         /* the highest token granted or heard of */
  byte closed;          /* the last token released */
#if RESTORES
  byte inc;             /* the incarnation that it names; 0: none */
#endif
#if CONDITION == 0 || OBSERVED == 2
  byte version;
#endif
#if CHECK_ENDS
  byte set;             /* the last grant or renewal, whatever the nodes observe */
#endif
}
Record rec;
#if RESTORES
Record saved;           /* as it was at an earlier moment */
bool is_saved;
byte restores = RESTORES;
byte inc = 1;           /* the incarnation of the store */
byte young;             /* ticks until it is older than a lease */
#define copy_inc(from, to) to.inc = from.inc
#else
#define copy_inc(from, to) skip
#endif
byte forgets = FORGETS;
#if CONDITION == 0 || OBSERVED == 2
#define MAXVERSION 6
#define copy_version(from, to) to.version = from.version
#else
#define copy_version(from, to) skip
#endif
#if CHECK_ENDS
#define copy_set(from, to) to.set = from.set
#else
#define copy_set(from, to) skip
#endif

inline copy(from, to) {
  to.wid = from.wid; to.holder = from.holder; to.token = from.token; to.lease_id = from.lease_id; to.delay = from.delay;
  to.delay_id = from.delay_id; to.highest = from.highest; to.closed = from.closed; copy_inc(from, to); copy_version(from, to);
  copy_set(from, to)
}
/* all but the write id */
inline wipe(x) {
  x.lease_id = 0; x.delay_id = 0; wipe_content(x);
#if CHECK_ENDS
  x.set = 0;
#endif
  skip
}
inline wipe_content(x) {
  x.holder = 0; x.token = 0; x.delay = 0; x.highest = 0; x.closed = 0;
#if RESTORES
  x.inc = 0;
#endif
#if CONDITION == 0 || OBSERVED == 2
  x.version = 0;
#endif
  skip
}

/* ---------------------------------------------------------------------------------------------------------- the nodes */
#define IDLE     0      /* phases of a request */
#define SENT     1      /* the write is under way, or is sent again as nothing was heard of it */
#define ANSWERED 2      /* the reply is under way, which says that it was written */

#define CAMPAIGN 1      /* requests */
#define RENEW    2
#define RELEASE  3
#define GRANTED  4      /* what it means that the write was carried out */
#define RENEWED  5
#define LOST     6
#define DONE     7      /* to a release */
#define NOTHING  8      /* nothing, or nothing any more */

typedef Write {
  byte phase;
  byte means;
  byte old;             /* the write id of the bytes that were read */
  byte tok;             /* the token of the lease that is granted or renewed */
#if CHECK_ORDER
  bool raises;          /* grants a new token */
#endif
#if RESTORES
  byte read_inc;        /* the incarnation that answered the read */
  bool other;           /* the reply comes from another incarnation */
#endif
  Record new
}
typedef Node {
  byte cand;            /* number of the present candidacy; CANDIDACIES: all used up */
  byte seen;            /* the highest token seen */
  byte left;            /* ticks until the own deadline by the own clock: the node leads while this is positive */
  byte tok;             /* the token while leading */
  byte expiry;          /* while leading: ticks until the end of the lease, by the own clock since the decision of the last good request */
  byte lease_id;        /* the id of a lease seen last */
  byte lease_age;       /* ticks since it was first seen; no more than TTL */
  byte delay_id;        /* likewise of a lock delay */
  byte delay_age;
  byte own;             /* the bytes written last by this node itself, carried out or not */
  byte own_age;         /* ticks since the decision to write them */
  byte m_left;          /* ticks until the deadline that a good reply to the request under way would give */
#if DRIFT
  byte missed;          /* ticks that the own clock has missed since the request behind the present deadline */
  byte m_missed;
#endif
#if CHECK_ENDS
  byte set;             /* the grant or renewal seen last */
  byte set_age;
#endif
  Write m               /* the request under way; one at a time */
}
Node node[N];
#if LATE > 0
Write late[LATE];       /* abandoned writes that may still reach the store: SENT or IDLE */
#endif
#if CHECK_ORDER
byte top = 1 - EMPTY;   /* the highest token ever granted; for the check only */
#endif

#define LEADS(i)     (node[i].left > 0)
#define MAX(a, b)    ((a) > (b) -> (a) : (b))
#define LESS(a, b)   ((a) > (b) -> (a) - (b) : 0)
#if CANDIDACY_IDS
#define ID(i)        ((i) * CANDIDACIES + node[i].cand + 1)
#else
#define ID(i)        ((i) + 1)
#endif
#if N == 2
#define ALONE(i)     (!LEADS(1 - (i)))
#else
#define ALONE(i)     (((i) == 0 || !LEADS(0)) && ((i) == 1 || !LEADS(1)) && ((i) == 2 || !LEADS(2)))
#endif

/* scratch: set and used inside one step, so not part of the state */
hidden Record d;        /* the record while a request is decided */
hidden byte means, k;
hidden byte dirty;
hidden byte rest;       /* of the lock delay, by the node that decides */
hidden byte extends;    /* the lease is granted or renewed */
hidden byte locks;      /* a lock delay begins */
hidden int live;
hidden int ends;        /* the ids of ends that are in the store or may come there */
hidden byte map[30];
hidden byte next;

/* ------------------------------------------------------------------------------------- names of write ids */
#define BIT(x) (1 << (x))
#define IN(x)  ((live & BIT(x)) != 0)
#define is_under_way(w) (w.phase != IDLE && w.old != NEVER)

#if OBSERVED == 2
#define ends_of(x) skip
#define IS_END(x) true
#else
#define ends_of(x) ends = ends | BIT(x.lease_id) | BIT(x.delay_id)
#define IS_END(x) ((ends & BIT(x)) != 0)
#endif
inline may_come(w) { if :: is_under_way(w) -> live = live | BIT(w.new.wid); ends_of(w.new) :: else fi }
/* A reply tells the node of the ends, if they are there still. */
inline wipe_but_ends(x) {
  if :: !IS_END(x.lease_id) -> x.lease_id = 0 :: else fi;
  if :: !IS_END(x.delay_id) -> x.delay_id = 0 :: else fi;
  wipe_content(x)
}
/* A write whose condition can never be true again changes nothing any more; only its write id may still be found in the store. */
inline is_over(w) {
  if
  :: CONDITION == 1 && w.phase != IDLE && !IN(w.old) ->
       w.old = NEVER;
       if :: w.phase == ANSWERED -> wipe_but_ends(w.new) :: else -> wipe(w.new) fi;
       if :: !IN(w.new.wid) -> w.new.wid = NEVER :: else fi
  :: else
  fi
}
inline may_be_in_store() {
  live = BIT(rec.wid); ends = 0; ends_of(rec);
  if :: forgets > 0 -> live = live | BIT(ABSENT) :: else fi;
#if RESTORES
  if :: is_saved -> live = live | BIT(saved.wid); ends_of(saved) :: else fi;
#endif
  may_come(node[0].m); may_come(node[1].m);
#if N > 2
  may_come(node[2].m);
#endif
#if LATE > 0
  may_come(late[0]);
#endif
#if LATE > 1
  may_come(late[1]);
#endif
  live = live & ~BIT(NEVER)
}
#if RESTORES
inline no_inc(w) { w.read_inc = 0; w.other = 0 }
#else
#define no_inc(w) skip
#endif
inline drop(w) {
  w.phase = IDLE; w.means = 0; w.old = NEVER; w.tok = 0; wipe(w.new); w.new.wid = NEVER; no_inc(w);
#if CHECK_ORDER
  w.raises = 0;
#endif
  skip
}
inline writes_are_over() {
  may_be_in_store();
  is_over(node[0].m); is_over(node[1].m);
#if N > 2
  is_over(node[2].m);
#endif
#if LATE > 0
  is_over(late[0]);
  if :: late[0].old == NEVER -> drop(late[0]) :: else fi;
#endif
#if LATE > 1
  is_over(late[1]);
  if :: late[1].old == NEVER -> drop(late[1]) :: else fi;
#endif
  skip
}
inline forget_bytes(i) {
  if :: node[i].own != NEVER && !IN(node[i].own) && !IS_END(node[i].own) -> node[i].own = NEVER :: else fi;
  if :: node[i].own == NEVER -> node[i].own_age = 0 :: else fi;
  if :: node[i].lease_id != NEVER && !IS_END(node[i].lease_id) -> node[i].lease_id = NEVER :: else fi;
  if :: node[i].lease_id == NEVER -> node[i].lease_age = 0 :: else fi;
  if :: node[i].delay_id != NEVER && !IS_END(node[i].delay_id) -> node[i].delay_id = NEVER :: else fi;
  if :: node[i].delay_id == NEVER -> node[i].delay_age = 0 :: else fi
}
inline name(x) {
  if
  :: x != ABSENT && x != NEVER ->
       if :: map[x] == 0 -> map[x] = next; next++ :: else fi;
       x = map[x]
  :: else
  fi
}
inline name_ends(x) {
#if OBSERVED != 2
  name(x.lease_id); name(x.delay_id);
#endif
#if CHECK_ENDS
  name(x.set);
#endif
  skip
}
inline name_record(x) { name(x.wid); name_ends(x) }
inline name_node(i) {
  name_ends(node[i]); name(node[i].own); name(node[i].m.old); name_record(node[i].m.new)
}
/* Write ids are only ever compared: those that nobody knows are given again, and all are named in the order in which they are met. */
inline tidy() {
  writes_are_over(); writes_are_over(); may_be_in_store();
  forget_bytes(0); forget_bytes(1);
#if N > 2
  forget_bytes(2);
#endif
  k = 0;
  do :: k < NEVER -> map[k] = 0; k++ :: else -> break od;
  next = 1;
  name_record(rec);
#if RESTORES
  name_record(saved);
#endif
  name_node(0); name_node(1);
#if N > 2
  name_node(2);
#endif
#if LATE > 0
  name(late[0].old); name_record(late[0].new);
#endif
#if LATE > 1
  name(late[1].old); name_record(late[1].new);
#endif
  assert(next <= NEVER);
  k = 0;
  do :: k < NEVER -> map[k] = 0; k++ :: else -> break od;
  next = 0; live = 0; ends = 0; k = 0; means = 0; dirty = 0; rest = 0; extends = 0; locks = 0; wipe(d); d.wid = 0
}

/* printf is silent in the search: it only tells the story of a trail */
inline say(what) {
  if
  :: what == CAMPAIGN -> printf("campaign")
  :: what == RENEW -> printf("renew")
  :: what == RELEASE -> printf("release")
  :: what == GRANTED -> printf("granted")
  :: what == RENEWED -> printf("renewed")
  :: what == LOST -> printf("lost")
  :: what == DONE -> printf("done")
  :: else -> printf("nothing")
  fi
}
inline tell(x) { printf("holder %d, token %d, lease id %d, delay %d, its id %d, highest %d, closed %d", x.holder, x.token, x.lease_id, x.delay, x.delay_id, x.highest, x.closed) }

/* ================================================================================================== what a node sees */

/* The node has the present id of an end before it: since when has it known it? */
inline observe_end(i, present, id, age, since) {
  if
  :: present == 0 -> id = NEVER; age = 0
  :: else -> if
  :: present == id
  :: else ->
       id = present;
       age = ((OWN_SIGHT == 0 || OWN_SIGHT == 2) && OBSERVED != 2 && present == node[i].own -> node[i].own_age : since)
  fi fi
}
#if CHECK_ENDS
#define forget_set(i) node[i].set = 0; node[i].set_age = 0
#else
#define forget_set(i) skip
#endif
inline observe(i, since) {
  observe_end(i, rec.lease_id, node[i].lease_id, node[i].lease_age, since);
  observe_end(i, rec.delay_id, node[i].delay_id, node[i].delay_age, since);
#if CHECK_ENDS
  if :: rec.set != node[i].set -> node[i].set = rec.set; node[i].set_age = since :: else fi;
#endif
  node[i].seen = MAX(node[i].seen, rec.token)
}

/* ================================================================================================ what a node decides */

/* What has ended, as the node observes it, is out. */
inline open_record(i) {
  copy(rec, d);
  if :: node[i].lease_age >= TTL -> d.holder = 0; d.token = 0 :: else fi;
  rest = LESS(d.delay, node[i].delay_age);
  if :: rest == 0 -> unlock() :: else -> if :: !WHOLE -> d.delay = rest :: else fi fi;
  dirty = 0
}

/* Nobody may be granted for that long, or for as long as was said before. */
inline lock(length) { rest = MAX(rest, length); d.delay = rest; locks = 1; dirty = 1 }
inline unlock() { d.delay = 0; d.delay_id = 0; rest = 0; locks = 0 }
inline extend() { extends = 1; dirty = 1 }

inline note_incarnation() {
#if RESTORES && !UNTOLD
  if
  :: rec.wid == ABSENT -> d.inc = inc
  :: else -> if
  :: d.inc != inc ->
       d.inc = inc; dirty = 1;
       if :: INCARNATION && (young > 0 || !YOUNG) -> lock(TTL) :: else fi
  :: else
  fi fi
#else
  skip
#endif
}

/* The store does not tell its incarnation, and the connection does not prove that it is the one that answered a lease ago. */
#if RESTORES && UNTOLD && CONNECTED && TAKES_WRITES
#define UNPROVEN (young > 0)
#else
#define UNPROVEN false
#endif

inline campaign(i, touch) {
  note_incarnation();
  means = NOTHING;
  if
  :: d.holder == ID(i) && ((OWN_WAITS && rest > 0) || UNPROVEN)
  :: else -> if
  :: d.holder == ID(i) || (d.holder != 0 && !OWNER_EXTEND) -> extend(); means = GRANTED
  :: else -> if
  :: d.holder != 0 ->
#if CHECK_ENDS
       assert(node[i].set_age < TTL);
#endif
       skip
  :: else -> if
  :: QUARANTINE && d.highest < node[i].seen -> d.highest = node[i].seen; lock(TTL)
  :: else -> if
  :: rest > 0 || UNPROVEN
  :: else -> if
  :: SETTLING && rec.wid == ABSENT && node[i].seen == 0 -> lock(SETTLE)
  :: else -> if
  :: MAX(d.highest, node[i].seen) < MAXTOK ->
       d.highest = MAX(d.highest, node[i].seen) + 1;
       d.holder = ID(i); d.token = d.highest; extend(); unlock(); means = GRANTED
  :: else                                                         /* the bound of the search: counts as lost */
  fi fi fi fi fi fi fi;
  if :: touch && rec.wid != ABSENT -> dirty = 1 :: else fi
}

#define MAY_CLAIM(i, kind) \
  ((d.holder == 0 || (NEWER_STAYS && kind == RENEW && d.token < node[i].tok)) && (!EXPIRY || node[i].expiry > 0) \
  && (!TOKEN_CHECK || d.highest <= node[i].tok) && (!CLOSED_CHECK || d.closed < node[i].tok))

inline renew(i) {
  note_incarnation();
  if
  :: d.holder == ID(i) && d.token == node[i].tok -> extend(); means = RENEWED
  :: else -> if
  :: MAY_CLAIM(i, RENEW) ->
       d.holder = ID(i); d.token = node[i].tok; extend(); d.highest = MAX(d.highest, d.token);
       if :: AFTERMATH -> lock(TTL) :: else -> unlock() fi; means = RENEWED
  :: else -> means = LOST
  fi fi
}

inline release(i) {
#if RESTORES
  if :: rec.wid == ABSENT -> d.inc = 0 :: else fi;
#endif
  means = DONE;
  if
  :: d.holder != 0 && ((d.holder == ID(i) && d.token == node[i].tok) || !OWNER_RELEASE) ->
       d.holder = 0; d.token = 0; d.closed = MAX(d.closed, node[i].tok); dirty = 1
  :: else -> if
  :: MAY_CLAIM(i, RELEASE) ->
       d.highest = MAX(d.highest, node[i].tok); d.closed = MAX(d.closed, node[i].tok); dirty = 1;
       if :: AFTERMATH -> lock(TTL) :: else -> unlock() fi
  :: else
  fi fi
}

/* The lowest write id that nobody knows: tidy() has named them all. */
inline fresh_id(x) {
  live = 0;
  know_record(rec); know_node(0); know_node(1);
#if N > 2
  know_node(2);
#endif
#if RESTORES
  know_record(saved);
#endif
#if LATE > 0
  know(late[0].old); know_record(late[0].new);
#endif
#if LATE > 1
  know(late[1].old); know_record(late[1].new);
#endif
  x = 1;
  do :: IN(x) -> x++ :: else -> break od;
  assert(x < NEVER)
}
inline know(x) { live = live | BIT(x) }
inline know_ends(x) {
#if OBSERVED != 2
  know(x.lease_id); know(x.delay_id);
#endif
#if CHECK_ENDS
  know(x.set);
#endif
  skip
}
inline know_record(x) { know(x.wid); know_ends(x) }
inline know_node(i) { know_ends(node[i]); know(node[i].own); know(node[i].m.old); know_record(node[i].m.new) }

/* Each end that was set names the write. */
inline set_ends(x) {
#if OBSERVED == 2
  if :: extends -> x.lease_id = x.version :: else fi;
  if :: locks -> x.delay_id = x.version :: else fi;
#else
  if :: extends && (OBSERVED != 0 || x.token != rec.token) -> x.lease_id = x.wid :: else fi;
  if :: locks -> x.delay_id = x.wid :: else fi;
  if :: OBSERVED == 3 -> x.lease_id = (x.holder == 0 -> 0 : x.wid); x.delay_id = (x.delay == 0 -> 0 : x.wid) :: else fi;
#endif
#if CHECK_ENDS
  if :: extends -> x.set = x.wid :: else fi;
#endif
  skip
}

/* Reads and decides; `ago`: ticks since the request began. */
inline ask(i, kind, touch, ago) {
  observe(i, ago);
  open_record(i);
  printf("node %d reads (", i); tell(rec); printf(") lease known for %d, delay for %d\n", node[i].lease_age, node[i].delay_age);
  if
  :: kind == CAMPAIGN -> campaign(i, touch)
  :: kind == RENEW -> renew(i)
  :: kind == RELEASE -> release(i); if :: UNKNOWN_RELEASE -> stop(i) :: else fi
  fi;
  printf("  node %d decides to ", i); say(kind); printf(": "); say(means); printf(" if written %d (", dirty); tell(d); printf(")\n");
  if
  :: dirty ->
       node[i].m.phase = SENT; node[i].m.means = means; node[i].m.old = rec.wid;
#if CONDITION == 0 || OBSERVED == 2
       if :: rec.wid == ABSENT -> d.version = 1 :: else -> d.version++ fi;
#endif
       copy(d, node[i].m.new);
#if RESTORES
       node[i].m.read_inc = inc;
#endif
       fresh_id(node[i].m.new.wid); set_ends(node[i].m.new);
       if :: OWN_SIGHT == 1 || (OWN_SIGHT == 2 && rec.wid == ABSENT) -> node[i].own = NEVER :: else -> node[i].own = node[i].m.new.wid fi;
       node[i].own_age = 0;
#if CHECK_ORDER
       node[i].m.raises = (means == GRANTED && d.token > rec.token);
#endif
       if
       :: means == GRANTED || means == RENEWED -> node[i].m.tok = d.token; node[i].m_left = LESS(TTL - MARGIN, ago);
            if :: node[i].m_left == 0 -> node[i].m.means = NOTHING :: else fi
       :: else
       fi
  :: else ->
       if :: means == LOST -> stop(i) :: else fi
  fi
}

/* The leadership is over, for whatever reason: the next attempt is a new candidacy, and nothing under way counts. */
inline stop(i) {
  printf("node %d: candidacy %d is over\n", i, ID(i));
  node[i].left = 0; node[i].tok = 0; node[i].expiry = 0; no_deadline(i);
#if DRIFT
  node[i].missed = 0;
#endif
  if :: node[i].m.phase != IDLE -> node[i].m.means = NOTHING :: else fi;
  if :: node[i].cand < CANDIDACIES -> node[i].cand++ :: else fi
}
inline no_deadline(i) {
  node[i].m_left = 0;
#if DRIFT
  node[i].m_missed = 0;
#endif
  skip
}
inline nothing_under_way(i) { drop(node[i].m); no_deadline(i) }

/* ================================================================================================== what the store does */

#if CONDITION == 1
#define HOLDS(w) (w.old == rec.wid)
#elif CONDITION == 0
#define HOLDS(w) ((rec.wid == ABSENT -> 0 : rec.version) + 1 == w.new.version && w.new.version <= MAXVERSION)
#else
#define HOLDS(w) true
#endif

inline replace(w) {
  copy(w.new, rec);
#if RESTORES
  if :: !NOTED -> rec.inc = inc :: else fi;
#endif
#if CHECK_ORDER
  if :: w.raises -> assert(rec.token > top); top = rec.token :: else fi;
#endif
  printf("  the store replaces the record ("); tell(rec); printf(")\n")
}

#if RESTORES
#define note_reply(i) node[i].m.other = (TAKES_WRITES && inc != node[i].m.read_inc)
#define BELIEVED(i) (!REPLY_INCARNATION || !node[i].m.other)
#else
#define note_reply(i) skip
#define BELIEVED(i) true
#endif

/* The write is carried out, or not, and its reply is under way. */
inline carry_out(i) {
  if
  :: HOLDS(node[i].m) -> replace(node[i].m); node[i].m.phase = ANSWERED; note_reply(i)
  :: else -> if
  :: OWN_ID && rec.wid != ABSENT && rec.wid == node[i].m.new.wid ->
       printf("  conflict with the own write id of node %d: it was written\n", i);
       node[i].m.phase = ANSWERED; note_reply(i)
  :: else -> if
  :: FOREIGN_ID || node[i].m.means == NOTHING -> printf("  conflict: node %d sees the present bytes\n", i); observe(i, 0); nothing_under_way(i)
  :: else -> printf("  conflict, which node %d takes for written\n", i); node[i].m.phase = ANSWERED; note_reply(i)
  fi fi fi
}

inline see_own_end(i, written, id, age) {
  if
  :: written == 0 -> id = NEVER; age = 0
  :: else -> if
  :: written == id
  :: else -> id = written; age = (node[i].own == NEVER -> 0 : node[i].own_age)
  fi fi
}
inline take_reply(i) {
  printf("node %d is told that it was written\n", i);
  if
  :: BELIEVED(i) ->
       see_own_end(i, node[i].m.new.lease_id, node[i].lease_id, node[i].lease_age);
       see_own_end(i, node[i].m.new.delay_id, node[i].delay_id, node[i].delay_age);
#if CHECK_ENDS
       if :: node[i].m.new.set != node[i].set -> node[i].set = node[i].m.new.set; node[i].set_age = 0 :: else fi;
#endif
       believe(i)
  :: else -> printf("  by another incarnation: unknown\n")
  fi;
  nothing_under_way(i)
}
inline believe(i) {
  if
  :: node[i].m.means == GRANTED || (node[i].m.means == RENEWED && LEADS(i)) ->
       if
       :: FROM_SEND && node[i].left > node[i].m_left
       :: else ->
            node[i].left = (FROM_SEND -> node[i].m_left : TTL - MARGIN);
#if DRIFT
            node[i].missed = node[i].m_missed;
#endif
       fi;
       node[i].tok = node[i].m.tok;
       node[i].expiry = MAX(node[i].expiry, node[i].m_left + MARGIN);
       node[i].seen = MAX(node[i].seen, node[i].tok);
       printf("  node %d LEADS with token %d, ticks to its deadline: %d\n", i, node[i].tok, node[i].left);
       assert(!CHECK_ALONE || ALONE(i))                           /* never two leaders */
  :: node[i].m.means == LOST && LEADS(i) -> stop(i)
  :: node[i].m.means == DONE && LEADS(i) -> stop(i)
  :: else
  fi
}

#if RESTORES
#define no_reply(i) node[i].m.other = 0
#else
#define no_reply(i) skip
#endif

/* Then the write may be sent again, as it is. */
inline reply_is_lost(i) {
  if :: CREATE_ONCE && node[i].m.old == ABSENT -> nothing_under_way(i) :: else fi
}
inline abandon_to(i, slot) {
  printf("node %d waits no longer for a write that is still under way\n", i);
  slot.phase = SENT; slot.old = node[i].m.old; copy(node[i].m.new, slot.new);
#if CHECK_ORDER
  slot.raises = node[i].m.raises;
#endif
  skip
}

proctype Participant(byte i) {
  do
  /* ask */
  :: d_step { node[i].m.phase == IDLE && !LEADS(i) && node[i].cand < CANDIDACIES -> ask(i, CAMPAIGN, 0, 0); tidy() }
#if TOUCHES
  :: d_step { node[i].m.phase == IDLE && !LEADS(i) && node[i].cand < CANDIDACIES -> ask(i, CAMPAIGN, 1, 0); tidy() }
#endif
#if !SIGHT
  :: d_step { node[i].m.phase == IDLE && !LEADS(i) && node[i].cand < CANDIDACIES -> ask(i, CAMPAIGN, 0, 2); tidy() }
#endif
  :: d_step { node[i].m.phase == IDLE && LEADS(i) -> ask(i, RENEW, 0, 0); tidy() }
  :: d_step { node[i].m.phase == IDLE && LEADS(i) -> ask(i, RELEASE, 0, 0); tidy() }

#if !SINCE_SENT
  :: d_step { node[i].m.phase == SENT && node[i].m.read_inc != inc ->
       printf("node %d had the reply to its read only now\n", i); node[i].m.read_inc = inc; tidy() }
#endif
  /* the write reaches the store, and the reply is on its way or lost; then it may be sent again */
  :: d_step { node[i].m.phase == SENT -> carry_out(i); tidy() }
  :: d_step { node[i].m.phase == SENT && HOLDS(node[i].m) -> replace(node[i].m); printf("  and its reply is lost\n"); reply_is_lost(i); tidy() }
#if !FIRST_SEND
  :: d_step { node[i].m.phase == SENT && node[i].m_left > 0 -> printf("node %d sends its write again\n", i); node[i].m_left = TTL - MARGIN; tidy() }
#endif
  :: d_step { node[i].m.phase == ANSWERED -> take_reply(i); tidy() }
  :: d_step { node[i].m.phase == ANSWERED -> node[i].m.phase = SENT; no_reply(i); reply_is_lost(i); tidy() }

  /* the outcome stays unknown: the write is lost, or was carried out, or is carried out some time later */
#if UNKNOWN
  :: d_step { node[i].m.phase == SENT -> printf("node %d gives up: outcome unknown\n", i); nothing_under_way(i); tidy() }
#else
  :: d_step { node[i].m.phase == SENT -> printf("node %d gives up, and takes it for written\n", i); believe(i); nothing_under_way(i); tidy() }
#endif
#if LATE > 0
  :: d_step { node[i].m.phase == SENT && late[0].phase == IDLE && node[i].m.old != NEVER -> abandon_to(i, late[0]); nothing_under_way(i); tidy() }
#if REPEATS
  :: d_step { node[i].m.phase == SENT && late[0].phase == IDLE && node[i].m.old != NEVER -> abandon_to(i, late[0]); tidy() }
#endif
#endif
#if LATE > 1
  :: d_step { node[i].m.phase == SENT && late[0].phase != IDLE && late[1].phase == IDLE && node[i].m.old != NEVER -> abandon_to(i, late[1]); nothing_under_way(i); tidy() }
#endif
#if RESTARTS
  :: d_step { node[i].m.phase == IDLE && node[i].cand < CANDIDACIES && (LEADS(i) || node[i].seen > 0) ->
       printf("node %d restarts\n", i); stop(i); node[i].seen = 0;
       node[i].lease_id = NEVER; node[i].lease_age = 0; node[i].delay_id = NEVER; node[i].delay_age = 0; node[i].own = NEVER; node[i].own_age = 0; forget_set(i); tidy() }
#endif
  od
}
/* ============================================================================= time, late writes and faults */

byte slow;              /* the nodes whose clocks miss the present tick, one bit each; 0 between ticks */

/* The allowance is for each span from a request to the deadline got by it. */
#if DRIFT
#define MAY_MISS(i) (LEADS(i) -> node[i].missed < DRIFT && (node[i].m_left == 0 || node[i].m_missed < DRIFT) : (node[i].m_left > 0 && node[i].m_missed < DRIFT))
#endif

inline up(x) { if :: x < TTL -> x++ :: else fi }
inline down(x) { if :: x > 0 -> x-- :: else fi }
inline own_clock(i) {
  if
#if DRIFT
  :: slow & (1 << i) ->
       if :: LEADS(i) -> node[i].missed++ :: else fi;
       if :: node[i].m_left > 0 -> node[i].m_missed++ :: else fi
#endif
  :: else ->
       if
       :: node[i].m_left == 1 ->                                  /* from now on the reply is worthless */
            no_deadline(i);
            if :: FROM_SEND && (node[i].m.means == GRANTED || node[i].m.means == RENEWED) -> node[i].m.means = NOTHING :: else fi
       :: else -> down(node[i].m_left)
       fi;
       down(node[i].expiry);
       if :: node[i].left == 1 -> stop(i) :: else -> down(node[i].left) fi;   /* at the deadline it stops by itself */
       up(node[i].lease_age); up(node[i].delay_age);
#if CHECK_ENDS
       up(node[i].set_age);
#endif
       up(node[i].own_age)
  fi
}

inline tick() {
  own_clock(0); own_clock(1);
#if N > 2
  own_clock(2);
#endif
#if RESTORES
  down(young);
#endif
  printf("  tick (clocks that miss it: %d)\n", slow);
  slow = 0;
  tidy()
}

inline arrives(slot) {
  printf("  a late write reaches the store\n");
  if :: HOLDS(slot) -> replace(slot) :: else fi;
  if :: !REPEATS -> drop(slot) :: else fi;
  tidy()
}

proctype Environment() {
  do
#if DRIFT > 0
  :: atomic {
       if :: MAY_MISS(0) -> slow = slow | 1 :: true fi;
       if :: MAY_MISS(1) -> slow = slow | 2 :: true fi;
#if N > 2
       if :: MAY_MISS(2) -> slow = slow | 4 :: true fi;
#endif
       d_step { tick() } }
#else
  :: d_step { tick() }
#endif
#if LATE > 0
  :: d_step { late[0].phase == SENT && (HOLDS(late[0]) || CONDITION != 1) -> arrives(late[0]) }
  :: d_step { late[0].phase == SENT -> drop(late[0]); tidy() }
#endif
#if LATE > 1
  :: d_step { late[1].phase == SENT && (HOLDS(late[1]) || CONDITION != 1) -> arrives(late[1]) }
  :: d_step { late[1].phase == SENT -> drop(late[1]); tidy() }
#endif
#if FORGETS
  :: d_step { forgets > 0 && rec.wid != ABSENT -> printf("  THE RECORD IS DELETED\n"); forgets--; rec.wid = ABSENT; wipe(rec); tidy() }
#endif
#if RESTORES
  :: d_step { restores > 0 && !is_saved -> printf("  THE STORE IS SAVED\n"); is_saved = 1; copy(rec, saved); tidy() }
  :: d_step { is_saved ->
       printf("  THE STORE IS RESTORED\n");
       copy(saved, rec); wipe(saved); saved.wid = NEVER; is_saved = 0; restores--; inc++; young = TTL; tidy() }
#endif
  od
}

inline start(i) {
  node[i].lease_id = NEVER; node[i].delay_id = NEVER; node[i].own = NEVER; node[i].seen = 1 - EMPTY; drop(node[i].m); run Participant(i)
}
init {
  atomic {
#if !EMPTY
    rec.wid = 1; rec.highest = 1;
#if RESTORES && !UNTOLD
    rec.inc = 1;
#endif
#if CONDITION == 0 || OBSERVED == 2
    rec.version = 1;
#endif
#endif
#if RESTORES
    saved.wid = NEVER;
#endif
#if LATE > 0
    drop(late[0]);
#endif
#if LATE > 1
    drop(late[1]);
#endif
    start(0); start(1);
#if N > 2
    start(2);
#endif
    run Environment()
  }
}

// What the leaderships that the store keeps say: who led when, and when nobody did.

/**
 * The leaderships, the earliest first, in milliseconds.
 *
 * @param leaderships of the endpoint, the latest first
 * @param now until when the last one is shown if it had not ended
 * @param isRead whether the store says so now; otherwise it had said so then, and nobody knows who leads now
 */
export function terms(leaderships, now, isRead = true) {
  return leaderships.map((each) => ({
    ...each,
    start: Date.parse(each.from),
    end: each.until ? Date.parse(each.until) : Math.max(now, Date.parse(each.from)),
    isPresent: !each.until && isRead,
    reason: each.until || isRead ? each.reason : 'NOT_READ',
  })).reverse();
}

/** The times without a leader, between those leaderships and after the last. */
export function gaps(all, now, isRead = true) {
  const found = [];
  all.forEach((term, index) => {
    const end = all[index + 1]?.start ?? (term.isPresent ? term.end : now);
    if (end > term.end) {
      found.push({start: term.end, end, isPresent: isRead && index === all.length - 1, after: term, before: all[index + 1]});
    }
  });
  return found;
}

/** The answer to "who led at that time": a term, a gap, or why it is not known. */
export function at(moment, all, now, isRead = true) {
  if (moment > now) {
    return {unknown: isRead ? 'That is in the future.' : 'The store was last read before that time.'};
  }
  if (!all.length || moment < all[0].start) {
    return {unknown: 'The store keeps no leadership from that time.'};
  }
  const term = all.find((each) => each.start <= moment && (moment < each.end || (each.isPresent && moment <= now)));
  return term ? {term} : {gap: gaps(all, now).find((gap) => gap.start <= moment && moment <= gap.end)};
}

const REASONS = {
  ABDICATED: 'gave up leadership',
  PREEMPTED: 'handed over',
  STOPPED: 'was stopped',
  EXPIRED: 'lease ran out',
  STORE_ERROR: 'lost the store',
  SUPERSEDED: 'was replaced',
  EVICTED: 'lease was taken away',
  NOT_READ: 'led when the store was last read',
};

/** How a leadership ended, in words. */
export function ending(term) {
  if (term.isPresent) {
    return 'leads';
  }
  const words = REASONS[term.reason] ?? 'not recorded';
  if (!term.requestedBy) {
    return words;
  }
  return term.reason === 'PREEMPTED' ? `${words}: ${term.requestedBy}` : `${words}, asked by ${term.requestedBy}`;
}

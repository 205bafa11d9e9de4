// Asks again and again while the page is visible, one question at a time.

import {remember, remembered} from './memory.js';

/** The intervals to choose from, in seconds. */
export const INTERVALS = [1, 2, 5, 10, 30];

const KEY = 'election.interval';
const HURRY = 1000;

export class Poll {
  /** Asks by `ask`, which may throw, and tells each change by `changed`. */
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
    this.interval = INTERVALS.find((each) => String(each) === remembered(KEY)) ?? 2;
    this.isHurried = false;
    this.isAsking = false;
    this.isRequested = false;
    this.answeredAt = null;
    this.failure = null;
    this.nextAt = null;
    document.addEventListener('visibilitychange', () => this.visibilityChanged());
  }

  choose(interval) {
    this.interval = interval;
    remember(KEY, interval);
    this.now();
  }

  /** Once a second while something is under way. */
  hurry(isHurried) {
    this.isHurried = isHurried;
    this.now();
  }

  async now() {
    clearTimeout(this.timer);
    if (this.isAsking) {
      this.isRequested = true;
      return;
    }
    this.isAsking = true;
    this.changed();
    try {
      await this.ask();
      this.answeredAt = Date.now();
      this.failure = null;
    } catch (failure) {
      this.failure = {error: failure, since: this.failure?.since ?? this.answeredAt ?? Date.now()};
    }
    this.isAsking = false;
    this.schedule();
    this.changed();
    if (this.isRequested) {
      this.isRequested = false;
      this.now();
    }
  }

  schedule() {
    if (document.hidden) {
      this.nextAt = null;
      return;
    }
    const pause = this.isHurried ? HURRY : this.interval * 1000;
    this.nextAt = Date.now() + pause;
    this.timer = setTimeout(() => this.now(), pause);
  }

  visibilityChanged() {
    clearTimeout(this.timer);
    if (!document.hidden) {
      this.now();
    }
  }
}

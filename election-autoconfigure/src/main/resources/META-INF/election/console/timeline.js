// The timeline: a bar for each leadership, and red where nobody led.

import {s} from './dom.js';
import {ending, gaps} from './history.js';
import {hue} from './parts.js';
import {clock, dateAndTime, duration, monthAndDay} from './time.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR,
  DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];

/** A shorter one is still to be seen, in percent. */
const NARROWEST = 0.2;

/** The most that a character of a text takes, in pixels. */
const CHARACTER = 7.5;

/** How far back each range goes. */
export const RANGES = {hour: HOUR, day: DAY, all: Infinity};

/**
 * @param all terms, the earliest first
 * @param isRead whether the store says so now
 * @param marked a moment to be marked, or null
 */
export function timeline(all, now, isRead, range, marked) {
  const start = range === 'all' ? Math.min(all[0]?.start ?? now - HOUR, now - MINUTE) : now - RANGES[range];
  const place = (moment) => (100 * (Math.min(Math.max(moment, start), now) - start)) / (now - start);
  const pixels = document.querySelector('.timeline')?.getBoundingClientRect().width || document.getElementById('app').clientWidth;
  const shownTerms = all.filter((term) => term.end >= start);
  const shownGaps = gaps(all, now, isRead).filter((gap) => gap.end >= start);
  return s('svg', {class: 'timeline', role: 'img', 'aria-label': label(shownTerms, shownGaps), width: '100%', height: '76'},
    s('rect', {class: 'track', x: '0', y: '4', width: '100%', height: '44', rx: '6'}),
    shownTerms.map((term) => bar(term, place, pixels, `term ${hue(term.node)}`, term.node,
      `${term.node} led from ${dateAndTime(term.start)} ${term.isPresent ? 'and leads now' : `to ${dateAndTime(term.end)}: ${ending(term)}`} (${duration(term.end - term.start)}, token ${term.token})`)),
    shownGaps.map((gap) => bar(gap, place, pixels, 'gap', duration(gap.end - gap.start),
      `Nobody led from ${dateAndTime(gap.start)} to ${gap.isPresent ? 'now' : dateAndTime(gap.end)} (${duration(gap.end - gap.start)})`)),
    ticks(start, now, pixels).map((moment) => s('g', {class: 'tick', 'data-key': `tick-${moment}`},
      s('line', {x1: `${place(moment)}%`, x2: `${place(moment)}%`, y1: '48', y2: '54'}),
      s('text', {x: `${place(moment)}%`, y: '68', 'text-anchor': 'middle'}, tickText(moment, now - start)))),
    marked !== null && marked >= start && marked <= now
      ? s('line', {class: 'marked', x1: `${place(marked)}%`, x2: `${place(marked)}%`, y1: '0', y2: '54'}) : null);
}

function bar(span, place, pixels, kind, text, title) {
  const from = place(span.start);
  const width = Math.max(place(span.end) - from, NARROWEST);
  return s('g', {class: kind, 'data-key': `${kind}-${span.start}`},
    s('title', {}, title),
    s('rect', {x: `${Math.min(from, 100 - width)}%`, y: '4', width: `${width}%`, height: '44'}),
    (width / 100) * pixels > (text.length + 2) * CHARACTER ? s('text', {x: `${from + width / 2}%`, y: '31', 'text-anchor': 'middle'}, text) : null);
}

function label(all, without) {
  const longest = Math.max(0, ...without.map((gap) => gap.end - gap.start));
  return `Timeline: ${all.length} leaderships of ${new Set(all.map((term) => term.node)).size} nodes, `
    + `${without.length ? `${without.length} times without a leader, the longest ${duration(longest)}` : 'never without a leader'}. The table below says the same.`;
}

/** Round times of the browser's zone. */
function ticks(start, end, pixels) {
  const most = pixels < 560 ? 3 : 7;
  const step = STEPS.find((each) => (end - start) / each <= most) ?? STEPS[STEPS.length - 1];
  const midnight = new Date(start);
  midnight.setHours(0, 0, 0, 0);
  const longest = tickText(midnight.getTime() + MINUTE, end - start).length;
  const margin = ((end - start) * longest * CHARACTER) / 2 / pixels;
  const found = [];
  for (let moment = midnight.getTime(); moment <= end - margin; moment += step) {
    if (moment >= start + margin) {
      found.push(moment);
    }
  }
  return found;
}

function tickText(moment, span) {
  const text = clock(moment, false);
  return span <= DAY + HOUR ? text : text === '00:00' ? monthAndDay(moment) : `${monthAndDay(moment)} ${text}`;
}

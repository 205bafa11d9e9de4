// Times and durations for people. Times are those of the browser's zone, with UTC on hover.

import {h} from './dom.js';

const MILLIS = {ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000};

const two = (number) => String(number).padStart(2, '0');

const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** 08:00 or 08:00:00. */
export function clock(millis, seconds = true) {
  const date = new Date(millis);
  return `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ''}`;
}

/** 2026-11-20 08:00:00, without the day if it is today. */
export function dateAndTime(millis, now = Date.now()) {
  const date = new Date(millis);
  return day(date) === day(new Date(now)) ? clock(millis) : `${day(date)} ${clock(millis)}`;
}

/** 11-20. */
export function monthAndDay(millis) {
  return day(new Date(millis)).slice(5);
}

/** An instant of an answer, as an element. */
export function time(instant, now) {
  const date = new Date(instant);
  return h('time', {datetime: date.toISOString(), title: `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`},
    dateAndTime(date.getTime(), now));
}

/** The zone of all times: Europe/Berlin (UTC+01:00). */
export function zone() {
  const minutes = -new Date().getTimezoneOffset();
  const offset = `${minutes < 0 ? '−' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${Intl.DateTimeFormat().resolvedOptions().timeZone} (UTC${offset})`;
}

/** As the endpoint writes durations: 640 ms, 12.3 s, 3 min 20 s, 2 h 5 min, 4 d 1 h. */
export function duration(millis) {
  const all = Math.max(0, millis);
  if (all < 999.5) {
    return `${Math.round(all)} ms`;
  }
  if (all < 59_500) {
    return `${Number((all / 1000).toFixed(1))} s`;
  }
  const rounded = all + 500;
  const [large, small] = [['d', 'h'], ['h', 'min'], ['min', 's']].find(([unit]) => rounded >= MILLIS[unit]);
  const many = Math.floor(rounded / MILLIS[large]);
  const rest = Math.floor((rounded % MILLIS[large]) / MILLIS[small]);
  return `${many} ${large}${rest ? ` ${rest} ${small}` : ''}`;
}

/** Without fractions of a second, for what counts on. */
export function wholeSeconds(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** The milliseconds of such a text; null for null. */
export function parseDuration(text) {
  return text === null || text === undefined ? null : [...text.matchAll(/([\d.]+) (ms|s|min|h|d)\b/g)]
    .reduce((sum, [, number, unit]) => sum + Number(number) * MILLIS[unit], 0);
}

/** The latest moment before `now` that somebody typed as 03:00, 03:00:30 or 2026-11-20 03:00; null if it is none. */
export function parseMoment(text, now) {
  const match = text.trim().match(/^(?:(\d{4})-(\d{1,2})-(\d{1,2})[ T]+)?(\d{1,2}):(\d{2})(?::(\d{2}))?$/);
  if (!match) {
    return null;
  }
  const [year, month, date, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) {
    return null;
  }
  if (match[1]) {
    const moment = new Date(year, month - 1, date, hours, minutes, seconds);
    return moment.getMonth() === month - 1 && moment.getDate() === date ? moment.getTime() : null;
  }
  const today = new Date(now);
  today.setHours(hours, minutes, seconds, 0);
  if (today.getTime() > now) {
    today.setDate(today.getDate() - 1);
  }
  return today.getTime();
}

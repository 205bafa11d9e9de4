// One election: what the store says, what this node knows, its history, its members.

import {actionButtons} from './actions.js';
import {h} from './dom.js';
import {sentence} from './frame.js';
import {groupOf, groupView, isAmong, knownOf, leaders} from './groups.js';
import {at, ending, gaps, terms} from './history.js';
import {certainty, successors} from './overview.js';
import {choice, empty, facts, isLate, lease, longTable, mark, nodeName, table} from './parts.js';
import {dateAndTime, duration, parseMoment, time, wholeSeconds} from './time.js';
import {timeline} from './timeline.js';

export function electionView(state) {
  const {overview, route} = state;
  const name = route.name;
  if (overview.partitions?.[name]) {
    return groupView(state, name, overview.partitions[name]);
  }
  const known = knownOf(state, name);
  const group = groupOf(overview, name);
  if (!known && name in leaders(overview)) {
    return [h('h1', {tabindex: '-1', class: 'id'}, name), h('p', {class: 'quiet'}, 'Asking the store…')];
  }
  if (!known) {
    return [h('h1', {tabindex: '-1'}, name), empty('This node takes part in no such election',
      'It may have another name, or the application has not used it since the start.')];
  }
  const opened = state.opened?.name === name ? state.opened : null;
  return [
    h('p', {class: 'back'}, group === null ? h('a', {href: '#/'}, '← All elections') : h('a', {href: `#/elections/${encodeURIComponent(group)}`}, `← All partitions of ${group}`), group && [' · ', h('a', {href: `#/jobs/${encodeURIComponent(name)}`}, 'Its jobs')]),
    h('div', {class: 'title'}, h('h1', {tabindex: '-1', class: 'id'}, name), headline(known, opened, state),
      h('div', {class: 'actions'}, overview.writable ? actionButtons(state, name)
        : h('p', {class: 'quiet'}, 'Read-only. To move leadership from here, the application sets ',
          h('code', {}, 'management.endpoint.leader.access=unrestricted')))),
    h('div', {class: 'pair'}, storeCard(opened, state), nodeCard(known, state)),
    opened?.leaderships ? historyCard(opened, state) : null,
    successionCard(name, known, overview),
  ];
}

function isReadNow(opened, state) {
  return opened?.view.freshness.problem === null && !state.poll.failure;
}

/** The store's word counts as long as it is fresh. */
function headline(known, opened, state) {
  const isRead = isReadNow(opened, state);
  const view = isRead ? opened.view : known;
  const read = () => (!view.leader ? 'none' : isLate(view) ? 'late' : 'yes');
  const how = isRead ? read() : certainty(known, state.poll);
  return {
    yes: () => mark('good', view.leader.node, ' leads'),
    late: () => mark('warn', view.leader.node, ' led, and has not renewed its lease in time'),
    unsure: () => mark('warn', 'Last known leader: ', view.leader.node),
    none: () => mark('bad', known.incident ? 'No leader known' : 'No leader'),
    waits: () => mark('plain', 'Not known yet'),
  }[how]();
}

function storeCard(opened, state) {
  const card = (...content) => h('section', {class: 'card', 'aria-labelledby': 'store-title'}, h('h2', {id: 'store-title'}, 'The store says'), content);
  if (!opened) {
    return card(h('p', {class: 'quiet'}, 'Asking the store…'));
  }
  const {view, receivedAt} = opened;
  if (view.freshness.problem !== null) {
    return card(h('p', {}, mark('warn', 'No answer'), ' The store can\'t be read: ', sentence(view.freshness.problem),
      opened.readAt ? ['  The last answer is from ', time(opened.readAt), '.'] : ''));
  }
  const {leader} = view;
  return card(
    leader ? facts(
      ['Leader', nodeName(leader.node, state.overview.node.id)],
      ['Address', leader.address || '–'],
      ['Since', time(leader.since), `, for ${wholeSeconds(storeTime(opened) - Date.parse(leader.since))}`],
      ['Lease', lease(view, receivedAt, state.poll), isLate(view) ? h('div', {}, mark('warn', 'not renewed in time')) : null],
      ['Token', h('span', {class: 'number'}, leader.token)],
    ) : h('p', {}, mark('bad', 'Nobody holds the lease')),
    h('p', {class: 'hint'}, 'Read at ', time(view.freshness.storeReadAt), ' by its clock'));
}

function nodeCard(view, {overview, overviewAt, poll}) {
  const last = view.lastTransition;
  return h('section', {class: 'card', 'aria-labelledby': 'node-title'}, h('h2', {id: 'node-title'}, 'This node knows'), facts(
    ['Leader', view.leader ? nodeName(view.leader.node, overview.node.id) : mark('bad', `None${view.leaderlessFor ? ` for ${view.leaderlessFor}` : ''}`)],
    ['Own role', ROLES[view.role] ?? view.role],
    view.leader?.leaseRemaining ? ['Own lease', lease(view, overviewAt, poll)] : null,
    view.recovery ? ['Recovers', `${view.recovery.name}, since `, time(view.recovery.since), '. It admits no work before that is done'] : null,
    ['Own running work', h('span', {class: 'number'}, view.runningWork)],
    ['Last change', last ? [`${(ROLES[last.to] ?? last.to).toLowerCase()} since `, time(last.at), ` (${last.reason.toLowerCase().replace('_', ' ')})`] : 'none yet'],
  ),
  (view.impediments ?? []).map((each) => h('p', {}, mark('bad', each.what), ` ${sentence(each.detail)} ${sentence(each.action)}`)),
  view.sharedWith ? h('p', {}, mark('warn', 'Shared'), ` Other applications take part, too: ${view.sharedWith.join(', ')}. Only the application of the leader does its work.`) : null);
}

const ROLES = {
  LEADER: 'Leader',
  FOLLOWER: 'Follower',
  OBSERVER: 'Observer, which never leads',
  COOLING_DOWN: 'Cools down: does not campaign for a while',
  STOPPED: 'Does not take part',
};

/** By the clock of the store, counted on since its answer. */
function storeTime(opened) {
  return Date.parse(opened.readAt) + (Date.now() - opened.readReceivedAt);
}

function historyCard(opened, state) {
  const {ui} = state;
  const isRead = isReadNow(opened, state);
  const now = isRead ? storeTime(opened) : Date.parse(opened.readAt);
  const all = terms(opened.leaderships, now, isRead);
  const moment = ui.moment.trim() ? parseMoment(ui.moment, storeTime(opened)) : null;
  return h('section', {class: 'card', 'aria-labelledby': 'history-title'},
    h('div', {class: 'title'}, h('h2', {id: 'history-title'}, 'Who led'),
      choice('Range', [['hour', 'Last hour'], ['day', 'Last day'], ['all', 'All that is kept']], ui.range, (range) => state.change({range}))),
    timeline(all, now, isRead, ui.range, moment),
    h('div', {class: 'asked'},
      h('label', {for: 'moment'}, 'Who led at'),
      h('input', {id: 'moment', placeholder: '03:00', value: ui.moment, autocomplete: 'off', size: '20', 'aria-describedby': 'moment-hint',
        oninput: (event) => state.change({moment: event.currentTarget.value})}),
      h('output', {for: 'moment'}, ui.moment.trim() ? answer(moment, all, now, isRead) : h('span', {class: 'quiet', id: 'moment-hint'}, '03:00, 03:00:30 or 2026-11-20 03:00, in your time zone'))),
    historyTable(all, now, isRead, state));
}

function answer(moment, all, now, isRead) {
  if (moment === null) {
    return 'Type a time such as 03:00 or 2026-11-20 03:00.';
  }
  const {term, gap, unknown} = at(moment, all, now, isRead);
  if (term) {
    return [h('b', {}, term.node), ` led at ${dateAndTime(moment)}: from ${dateAndTime(term.start)} ${term.isPresent ? 'on, and still does' : `to ${dateAndTime(term.end)} (${ending(term)})`}.`];
  }
  return unknown ?? [h('b', {class: 'bad'}, 'Nobody'), ` led at ${dateAndTime(moment)}: ${duration(gap.end - gap.start)} without a leader, from ${dateAndTime(gap.start)} to ${gap.isPresent ? 'now' : dateAndTime(gap.end)}.`];
}

function historyTable(all, now, isRead, state) {
  if (!all.length) {
    return empty('No leadership is kept', 'Nobody has led yet, or the store keeps no history.');
  }
  const rows = [...all, ...gaps(all, now, isRead).map((gap) => ({...gap, isGap: true}))].sort((one, other) => other.start - one.start);
  return longTable(state, {
    label: 'Leaderships', rows, keyOf: (row) => `${row.isGap ? 'gap' : 'term'}-${row.start}`,
    classOf: (row) => (row.isGap ? 'gap-row' : null),
    columns: [
      {title: 'Leader', cell: (row) => (row.isGap ? mark(row.isPresent ? 'bad' : 'past', 'Nobody') : nodeName(row.node, state.overview.node.id))},
      {title: 'From', cell: (row) => time(row.start, now), class: 'number'},
      {title: 'Until', cell: (row) => (row.isPresent ? 'now' : time(row.end, now)), class: 'number'},
      {title: 'For', cell: (row) => (row.isPresent ? wholeSeconds(row.end - row.start) : duration(row.end - row.start)), class: 'number'},
      {title: 'How it ended', cell: (row) => (row.isGap ? gapEnding(row) : ending(row))},
      {title: 'Token', cell: (row) => (row.isGap ? null : row.token), class: 'number'},
    ],
  });
}

function gapEnding({before, isPresent}) {
  return before ? `${before.node} took over` : isPresent ? 'nobody leads yet' : 'nobody led when the store was last read';
}

function successionCard(name, known, overview) {
  const card = (...content) => h('section', {class: 'card', 'aria-labelledby': 'line-title'}, h('h2', {id: 'line-title'}, 'Order of succession'), content);
  if (!overview.members) {
    return card(h('p', {class: 'quiet'}, 'This application does not use members, so only the store knows who waits. To see them here, set ',
      h('code', {}, 'election.members.enabled=true'), '.'));
  }
  const waiting = successors(overview, name, known);
  const rest = overview.members.filter((member) => !waiting.includes(member));
  const rows = [...rest.filter((member) => member.leads.includes(name)), ...waiting, ...rest.filter((member) => !member.leads.includes(name))];
  return card(
    table({
      label: 'Order of succession', rows, keyOf: (member) => `${member.id}-${member.order}`,
      columns: [
        {title: 'Node', cell: (member) => nodeName(member.id, overview.node.id)},
        {title: 'Place', cell: (member) => place(member, name, waiting, known, overview)},
        ...(known.succession ? [{title: 'Why', cell: (member) => known.succession.find((each) => each.node === member.id)?.reason}] : []),
        {title: 'Zone', cell: (member) => member.zone},
        {title: 'Version', cell: (member) => member.version},
      ],
    }),
    h('p', {class: 'hint'}, known.succession ? 'By priority, preferences and the order in which they joined. It does not bind: a later one leads if it asks the store first.'
      : 'In the order in which they joined. It does not bind: a later one leads if it asks the store first.'));
}

function place(member, name, waiting, known, overview) {
  if (member.leads.includes(name)) {
    if (known.incident) {
      return mark('warn', 'led, as last known');
    }
    return member.drained ? mark('warn', 'leads, and hands over: it is drained') : mark('good', 'leads');
  }
  if (member.drained) {
    return mark('warn', `drained by ${member.drained.requestedBy}`);
  }
  if (waiting.includes(member)) {
    const index = waiting.indexOf(member);
    return index ? `${index + 1}. in line` : mark('plain', 'next');
  }
  if (isAmong(member.observes, name)) {
    return 'may not lead: it only observes';
  }
  const isOwn = member.id === overview.node.id;
  return isOwn && known.role === 'COOLING_DOWN' ? 'may not lead now: it gave up leadership and cools down'
    : isOwn && overview.notYetCandidate ? 'may not lead yet: its application has not started'
      : 'may not lead now: it cools down, or takes no part';
}

// All elections, by what this node knows.

import {h} from './dom.js';
import {isAmong, share} from './groups.js';
import {electionLink, empty, lease, mark, nodeName, search, table} from './parts.js';
import {time, wholeSeconds} from './time.js';

/** Below that, there is nothing to search for. */
const MANY = 10;

const SHOWN_SUCCESSORS = 2;

/** Whether the leader leads now as far as this node can tell: yes, unsure, none, waits. */
export function certainty(view, poll) {
  if (!view.leader) {
    return view.role === 'STOPPED' ? 'waits' : 'none';
  }
  return poll.failure || (view.incident && view.role !== 'LEADER') ? 'unsure' : 'yes';
}

/** The members that would lead, the next one first. */
export function successors(overview, election, known) {
  const places = (known?.succession ?? []).map((place) => place.node);
  const place = (member) => (places.includes(member.id) ? places.indexOf(member.id) : places.length);
  return (overview.members ?? []).filter((member) => isAmong(member.candidateIn, election) && !member.leads.includes(election) && !member.drained)
    .sort((one, other) => place(one) - place(other) || one.order - other.order);
}

export function overviewView(state) {
  const {overview, ui, poll} = state;
  const all = Object.entries(overview.elections).map(([name, view]) => ({name, view, certainty: certainty(view, poll)}));
  const groups = Object.entries(overview.partitions ?? {}).map(([name, view]) => ({name, group: view, certainty: certaintyOfGroup(view, poll)}));
  if (!all.length && !groups.length) {
    return [h('h1', {tabindex: '-1'}, 'Elections'), empty('This node takes part in no election',
      'Guard a method with @LeaderOnly, or inject Elections and ask for one. An election appears here as soon as the application uses it.')];
  }
  const rows = [...all, ...groups].filter((row) => `${row.name} ${row.group ? Object.keys(row.group.leaders).join(' ') : row.view.leader?.node ?? ''}`.toLowerCase().includes(ui.search.toLowerCase()))
    .sort((one, other) => (other.certainty === 'none') - (one.certainty === 'none') || one.name.localeCompare(other.name));
  return [
    h('div', {class: 'title'}, h('h1', {tabindex: '-1'}, 'Elections'),
      h('p', {class: 'summary'}, summary(all, groups, overview.node.id)),
      all.length + groups.length > MANY ? search('Search elections or leaders', ui.search, (text) => state.change({search: text})) : null),
    table({
      label: 'Elections', rows, keyOf: (row) => row.name,
      classOf: (row) => (row.certainty === 'none' ? 'alarm' : null),
      columns: [
        {title: 'Election', cell: ({name, group}) => [electionLink(name), group ? h('span', {class: 'quiet'}, ` ${group.count} partitions`) : null]},
        {title: 'Leader', cell: (row) => (row.group ? leadersOfGroup(row) : leader(row, overview))},
        {title: 'Since', cell: ({view}) => (view?.leader ? time(view.leader.since) : null), class: 'number'},
        {title: 'For', cell: ({view}) => (view?.leader ? wholeSeconds(state.nodeTime() - Date.parse(view.leader.since)) : view?.leaderlessFor), class: 'number'},
        {title: 'Lease', cell: ({view}) => view && leaseOf(view, state)},
        {title: 'Running work', cell: ({view}) => (view?.role === 'LEADER' ? view.runningWork : null), class: 'number'},
        {title: 'Next in line', cell: (row) => row.view && succession(row, overview)},
      ],
    }),
    rows.length ? null : empty('Nothing found', `No election and no leader is named like "${ui.search}".`),
    h('p', {class: 'hint'}, `This is what ${overview.node.id} knows; the store was not asked. Open an election to see what the store says. `
      + 'Only the leader itself knows its running work, and what is left of its lease.'),
  ];
}

/** As `certainty`; none if any partition has no leader. */
function certaintyOfGroup(view, poll) {
  return view.withoutLeader.length ? 'none' : poll.failure || view.incident ? 'unsure' : 'yes';
}

function leadersOfGroup({group, certainty: how}) {
  return [share(group),
    how === 'none' ? mark('bad', `${group.withoutLeader.length} without a leader`) : how === 'unsure' ? mark('warn', 'last known, may be wrong') : null,
    group.finding ? mark('warn', 'this node may lead none') : null];
}

function summary(all, groups, own) {
  const count = (word, many) => `${many} ${word}`;
  const without = [...all, ...groups].filter((row) => row.certainty === 'none').length;
  return [
    count(all.length === 1 ? 'election' : 'elections', all.length),
    groups.length ? count(groups.length === 1 ? 'group of partitions' : 'groups of partitions', groups.length) : null,
    without ? h('b', {class: 'bad'}, count('without a leader', without)) : 'each has a leader',
    count('led by this node', all.filter(({view}) => view.role === 'LEADER' && view.leader?.node === own).length),
  ].filter(Boolean).flatMap((each, index) => (index ? [' · ', each] : [each]));
}

function leader({view, certainty: how}, overview) {
  if (how === 'none') {
    return mark('bad', view.incident ? 'No leader known' : 'No leader');
  }
  if (how === 'waits') {
    return mark('plain', 'Not known yet');
  }
  return [nodeName(view.leader.node, overview.node.id), how === 'unsure' ? mark('warn', 'last known, may be wrong') : null];
}

function leaseOf(view, state) {
  if (view.leader?.leaseRemaining) {
    return lease(view, state.overviewAt, state.poll);
  }
  return h('span', {class: 'quiet'}, `${view.lease}${view.leader ? ', renewed there' : ''}`);
}

function succession({name, view}, overview) {
  if (!overview.members) {
    return h('span', {class: 'quiet'}, 'members are not in use');
  }
  const next = successors(overview, name, view);
  const observers = overview.members.filter((member) => member.observes.includes(name)).length;
  return h('span', {class: 'line'},
    next.slice(0, SHOWN_SUCCESSORS).map((member, index) => [index ? ', ' : '', h('span', {class: 'id'}, member.id)]),
    next.length > SHOWN_SUCCESSORS ? ` and ${next.length - SHOWN_SUCCESSORS} more` : '',
    next.length ? '' : mark(view.leader ? 'warn' : 'bad', 'nobody'),
    observers ? h('span', {class: 'quiet'}, ` (${observers} only ${observers === 1 ? 'observes' : 'observe'})`) : null);
}

// The members: what they are, what they lead, where they are reached.

import {stateButton} from './actions.js';
import {h} from './dom.js';
import {electionLink, empty, mark, nodeName, search, table} from './parts.js';
import {time, wholeSeconds} from './time.js';

const SHOWN_ELECTIONS = 2;

export function membersView(state) {
  const {overview, ui} = state;
  const title = h('h1', {tabindex: '-1'}, 'Members');
  if (!overview.members) {
    return [title, empty('This application does not use members',
      h('span', {}, 'Set ', h('code', {}, 'election.members.enabled=true'), ' on all nodes. Each then says who it is and what it leads, at no further request to the store.'))];
  }
  const {key, down} = ui.membersBy;
  const columns = columnsOf(overview, state);
  const by = columns.find((column) => column.title === key).sort;
  const found = overview.members.filter((member) => JSON.stringify(member).toLowerCase().includes(ui.search.toLowerCase()))
    .sort((one, other) => compare(by(one), by(other)) * (down ? -1 : 1));
  const {complete, age, storeReachable} = overview.membersCopy;
  return [
    h('div', {class: 'title'}, title,
      h('p', {class: 'summary'}, `${overview.members.length} · `, !complete ? h('b', {class: 'bad'}, 'the list is not complete yet')
        : storeReachable ? `confirmed by the store ${age} ago` : h('b', {class: 'bad'}, `last confirmed by the store ${age} ago`)),
      search('Search members', ui.search, (text) => state.change({search: text}))),
    found.length ? table({
      label: 'Members', rows: found, keyOf: (member) => `${member.id}-${member.order}`, columns,
      sorted: {key, down, choose: (title) => state.change({membersBy: {key: title, down: title === key && !down}})},
    }) : empty('Nothing found', `Nothing of any member contains "${ui.search}".`),
    absentOrders(state),
    h('p', {class: 'hint'}, 'A process that stops is gone at once, one that was killed two and a half leases after its last heartbeat.'),
  ];
}

/** Nodes that are not there lead nothing, either, when they start. */
function absentOrders(state) {
  const {drains = {}, members, writable} = state.overview;
  const present = members.map((member) => member.id);
  const rows = Object.entries(drains).map(([id, drained]) => ({id, drained})).filter(({id}) => !present.includes(id));
  return rows.length ? h('section', {class: 'card more', 'aria-labelledby': 'absent-title'}, h('h2', {id: 'absent-title'}, 'Drained, and not there'), table({
    label: 'Drained, and not there', rows, keyOf: ({id}) => id, columns: [
      {title: 'Node', cell: ({id}) => nodeName(id, state.overview.node.id)},
      {title: 'Drained by', cell: ({drained}) => drained.requestedBy},
      {title: 'Since', cell: ({drained}) => time(drained.since), class: 'number'},
      {title: 'State', cell: (row) => (writable ? stateButton(state, row) : 'drained')},
    ],
  })) : null;
}

function columnsOf(overview, state) {
  const order = overview.members.map((member) => member.order).sort((one, other) => one - other);
  return [
    {title: 'Node', cell: (member) => nodeName(member.id, overview.node.id), sort: (member) => member.id},
    {title: 'State', cell: (member) => stateOf(member, state), sort: (member) => (member.drained ? 0 : 1)},
    {title: 'Leads', cell: (member) => names(member.leads), sort: (member) => -member.leads.length},
    {title: 'Application', cell: (member) => member.application, sort: (member) => member.application},
    {title: 'Version', class: 'short', cell: (member) => member.version, sort: (member) => member.version},
    {title: 'Zone', class: 'short', cell: (member) => member.zone, sort: (member) => member.zone},
    {title: 'Up for', class: 'number', sort: (member) => -Date.parse(member.started),
      cell: (member) => h('span', {}, wholeSeconds(state.nodeTime() - Date.parse(member.started)), h('span', {class: 'unseen'}, ' since ', time(member.started)))},
    {title: 'Reached at', cell: (member) => addresses(member), sort: (member) => member.uri},
    {title: 'Says of itself', cell: (member) => descriptions(member), sort: (member) => JSON.stringify(member.metadata)},
    {title: 'Joined', cell: (member) => `${order.indexOf(member.order) + 1}.`, sort: (member) => member.order, class: 'number'},
  ];
}

function compare(one, other) {
  return typeof one === 'number' ? one - other : one.localeCompare(other);
}

function names(elections) {
  const shown = elections.slice(0, SHOWN_ELECTIONS).map((name, index) => [index ? ', ' : '', electionLink(name)]);
  return elections.length ? h('span', {class: 'line'}, shown, elections.length > SHOWN_ELECTIONS ? ` and ${elections.length - SHOWN_ELECTIONS} more` : '') : null;
}

function stateOf(member, state) {
  const drained = member.drained;
  return h('span', {}, drained ? [mark('warn', 'drained'), h('div', {class: 'quiet'}, `by ${drained.requestedBy}, `, time(drained.since)), ' '] : member.down ? [mark('warn', 'down'), h('div', {class: 'quiet'}, `${member.down.reason}, `, time(member.down.since)), ' '] : 'active ',
    state.overview.writable ? stateButton(state, member) : null);
}

/** A member says what it likes: only what is an address of the web becomes a link. */
function addresses(member) {
  const all = [member.uri, member.managementUri].filter(Boolean);
  return all.length ? all.map((uri) => h('div', {}, /^https?:\/\//i.test(uri) ? h('a', {href: uri, rel: 'noopener noreferrer', target: '_blank'}, uri) : uri)) : null;
}

function descriptions(member) {
  const all = [...Object.entries(member.metadata), ...Object.entries(member.capabilities).map(([name, value]) => [`can ${name}`, value])];
  if (!all.length) {
    return null;
  }
  return h('ul', {class: 'pairs'}, all.map(([name, value]) => h('li', {}, h('span', {class: 'quiet'}, name), value ? ` ${value}` : '')));
}

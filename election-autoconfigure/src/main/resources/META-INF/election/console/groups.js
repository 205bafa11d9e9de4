// Groups of partitions: who leads how many, and each partition as an election.

import {h, s} from './dom.js';
import {sentence} from './frame.js';
import {electionLink, hue, mark, nodeName, table} from './parts.js';

const SHOWN_LEADERS = 3;

/** The leader that this node knows of each election and each partition, by name; null without one. */
export function leaders(overview) {
  const all = Object.entries(overview.elections).map(([name, view]) => [name, view.leader?.node ?? null]);
  for (const [group, view] of Object.entries(overview.partitions ?? {})) {
    all.push(...Array.from({length: view.count}, (_, index) => [`${group}.${index}`, null]));
    Object.entries(view.leaders).forEach(([node, led]) => led.forEach((index) => all.push([`${group}.${index}`, node])));
  }
  return Object.fromEntries(all);
}

/** The group of a partition, null for another election. */
export function groupOf(overview, election) {
  return Object.keys(overview.partitions ?? {}).find((group) => !(election in overview.elections)
    && election.startsWith(`${group}.`) && election.slice(group.length + 1) < overview.partitions[group].count) ?? null;
}

/** What this node knows of an election. The overview has no partition, so the opened one is asked, but for its leader. */
export function knownOf({overview, opened}, election) {
  if (groupOf(overview, election) === null || opened?.name !== election) {
    return overview.elections[election];
  }
  const node = leaders(overview)[election];
  const {view} = opened;
  return {...view, leader: node && {...(view.role === 'LEADER' ? view.leader : null), node}};
}

/** Whether a member is named there with an election or with the group of a partition. */
export function isAmong(elections, election) {
  return elections.includes(election) || elections.includes(election.replace(/\d+$/, '*'));
}

/** A bar of who leads how many partitions, and the numbers. */
export function share(view) {
  const all = Object.entries(view.leaders).map(([node, led]) => ({kind: hue(node), text: `${node} leads ${led.length}`, name: node, size: led.length}));
  if (view.withoutLeader.length) {
    all.push({kind: 'gap', text: `nobody leads ${view.withoutLeader.length}`, name: 'nobody', size: view.withoutLeader.length});
  }
  let from = 0;
  const place = (size) => `${(100 * size) / view.count}%`;
  const nodes = Object.entries(view.leaders);
  return h('span', {class: 'share'},
    s('svg', {role: 'img', 'aria-label': `Of ${view.count} partitions ${all.map(({text}) => text).join(', ')}`, width: '100%', height: '14'},
      all.map(({kind, text, name, size}) => {
        const part = s('rect', {class: kind, 'data-key': name, x: place(from), width: place(size), height: '14'}, s('title', {}, text));
        from += size;
        return part;
      })),
    h('span', {class: 'quiet'}, nodes.slice(0, SHOWN_LEADERS).map(([node, led], index) => [index ? ', ' : '', h('span', {class: 'part'}, `${node} ${led.length}`)]),
      nodes.length > SHOWN_LEADERS ? ` and ${nodes.length - SHOWN_LEADERS} more` : ''));
}

export function groupView({overview}, name, view) {
  const rows = Object.entries(view.leaders).map(([node, led]) => ({node, led}));
  if (view.withoutLeader.length) {
    rows.unshift({node: null, led: view.withoutLeader});
  }
  return [
    h('p', {class: 'back'}, h('a', {href: '#/'}, '← All elections')),
    h('div', {class: 'title'}, h('h1', {tabindex: '-1', class: 'id'}, name), h('p', {class: 'summary'}, `${view.count} partitions`)),
    view.finding ? h('p', {class: 'notice warn'}, h('b', {}, sentence(view.finding.problem)), ` ${sentence(view.finding.action)}`) : null,
    h('section', {class: 'card', 'aria-labelledby': 'share-title'}, h('h2', {id: 'share-title'}, 'Who leads how many'), share(view),
      table({
        label: 'Leaders of partitions', rows, keyOf: (row) => row.node ?? '', classOf: (row) => (row.node ? null : 'alarm'),
        columns: [
          {title: 'Leader', cell: (row) => (row.node ? nodeName(row.node, overview.node.id) : mark('bad', 'Nobody'))},
          {title: 'Leads', cell: (row) => row.led.length, class: 'number'},
          {title: 'Partitions', cell: (row) => h('span', {class: 'indexes'}, row.led.map((index) => [electionLink(`${name}.${index}`, index), ' ']))},
        ],
      })),
    h('p', {class: 'hint'}, `This is what ${overview.node.id} knows; the store was not asked. Open a partition to see what the store says.`),
  ];
}

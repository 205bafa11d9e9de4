// Parts that several views share.

import {copyButton} from './copy.js';
import {h} from './dom.js';
import {parseDuration, wholeSeconds} from './time.js';

const HUES = 14;

/** The colour of a node, by a hash (FNV-1a) of its id: the same wherever it is shown. Two nodes may have the same one. */
export function hue(node) {
  let hash = 0x811c9dc5;
  for (const character of node) {
    hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  }
  return `hue-${(hash >>> 0) % HUES}`;
}

/** A node by its id. */
export function nodeName(id, own) {
  return h('span', {class: 'node'},
    h('i', {class: `dot ${hue(id)}`, 'aria-hidden': 'true'}),
    h('span', {class: 'id', title: id}, id),
    id === own ? h('span', {class: 'tag'}, 'this node') : null,
    copyButton(id));
}

/** A link to the view of an election or a group of partitions. */
export function electionLink(name, text = name) {
  return h('a', {href: `#/elections/${encodeURIComponent(name)}`, class: 'id'}, text);
}

/** A word that marks something. The kinds: good, bad, past, warn, plain. */
export function mark(kind, ...text) {
  return h('span', {class: `mark ${kind}`}, ...text);
}

/**
 * A table that becomes a list of cards on a narrow screen; the roles stay what they are there.
 *
 * @param columns each with `title`, `cell(row)` and maybe `sort` and `class`
 * @param sorted maybe the column by which it is sorted, with `key`, `down` and `choose(key)`
 */
export function table({label, columns, rows, keyOf, classOf = () => null, sorted = null}) {
  return h('div', {class: 'table-frame', role: 'region', 'aria-label': label, tabindex: '0'},
    h('table', {role: 'table', 'aria-label': label},
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, columns.map((column) => heading(column, sorted)))),
      h('tbody', {role: 'rowgroup'}, rows.map((row) => h('tr', {role: 'row', 'data-key': keyOf(row), class: classOf(row)},
        columns.map((column, index) => h(index ? 'td' : 'th', {
          role: index ? 'cell' : 'rowheader', scope: index ? null : 'row', class: column.class, 'data-title': column.title,
        }, column.cell(row))))))));
}

function heading(column, sorted) {
  const attributes = {role: 'columnheader', scope: 'col', class: column.class};
  if (!sorted || !column.sort) {
    return h('th', attributes, column.title);
  }
  const isSorted = sorted.key === column.title;
  return h('th', {...attributes, 'aria-sort': isSorted ? (sorted.down ? 'descending' : 'ascending') : 'none'},
    h('button', {type: 'button', class: 'sort', onclick: () => sorted.choose(column.title)},
      column.title, h('span', {'aria-hidden': 'true'}, isSorted ? (sorted.down ? ' ↓' : ' ↑') : '')));
}

/** As many rows of a long table are shown at first. */
const FIRST_ROWS = 30;

/** The first rows of a table, and a button that shows all. */
export function longTable(state, options) {
  const {rows} = options;
  const shown = state.ui.allRows ? rows : rows.slice(0, FIRST_ROWS);
  return [table({...options, rows: shown}), shown.length < rows.length
    ? h('button', {type: 'button', class: 'more', onclick: () => state.change({allRows: true})}, `Show all ${rows.length} rows`) : null];
}

/** A field to search in what is shown. */
export function search(label, value, changed) {
  return h('label', {class: 'search'}, h('span', {class: 'unseen'}, label),
    h('input', {type: 'search', placeholder: label, value, oninput: (event) => changed(event.currentTarget.value)}));
}

/** A choice of one of several, as buttons. */
export function choice(label, options, chosen, choose) {
  return h('div', {class: 'choice', role: 'group', 'aria-label': label}, options.map(([value, text]) => h('button', {
    type: 'button', 'aria-pressed': String(value === chosen), onclick: () => choose(value),
  }, text)));
}

/** What is left of a lease. It counts on since the answer if the next answer comes before the next renewal, which nobody would see. */
export function lease(view, answeredAt, poll) {
  const all = parseDuration(view.lease);
  const counts = poll.interval * 3000 <= all;
  const left = Math.max(0, Math.min(all, parseDuration(view.leader.leaseRemaining) - (counts ? Date.now() - answeredAt : 0)));
  return h('span', {class: isLate(view) ? 'lease late' : 'lease'},
    h('progress', {max: all, value: left, 'aria-label': 'Lease left'}),
    h('span', {class: 'number'}, `${wholeSeconds(left)} of ${view.lease}${counts ? '' : ' when asked'}`));
}

/** Whether the leader has missed a renewal: a lease is renewed when a third of it is over. */
export function isLate(view) {
  return Boolean(view.leader?.leaseRemaining) && parseDuration(view.leader.leaseRemaining) < parseDuration(view.lease) / 2;
}

/** A page or a card without content, which says why. */
export function empty(title, ...text) {
  return h('div', {class: 'empty'}, h('h2', {}, title), text.map((each) => h('p', {}, each)));
}

/** A list of names and values. */
export function facts(...pairs) {
  return h('dl', {class: 'facts'}, pairs.filter(Boolean).map(([name, ...value]) => h('div', {}, h('dt', {}, name), h('dd', {}, ...value))));
}

// What is wrong: the findings of the checks after the start, and the present problems.

import {h} from './dom.js';
import {everything, incidents, sentence} from './frame.js';
import {electionLink, empty} from './parts.js';
import {time} from './time.js';

export function checksView({overview}) {
  const all = Object.entries(everything(overview));
  const present = [...incidents(overview).map(incidentCard), ...all.flatMap(([name, view]) => problems(name, view))];
  const {checks} = overview;
  const findings = checks?.findings ?? [];
  return [
    h('div', {class: 'title'}, h('h1', {tabindex: '-1'}, 'Checks')),
    present.length ? h('section', {class: 'problems', 'aria-labelledby': 'present-title'}, h('h2', {id: 'present-title'}, 'Problems now'), present) : null,
    h('section', {class: 'problems', 'aria-labelledby': 'checks-title'}, h('h2', {id: 'checks-title'}, 'After the start'),
      checks === undefined ? empty('No checks', 'The application has replaced or excluded them.') : null,
      findings.map((finding) => problem('warn', sentence(finding.problem), sentence(finding.action))),
      checks?.pending ? h('p', {class: 'hint'}, `${checks.pending} checks wait for the store and are repeated.`) : null,
      checks && !findings.length && !checks.pending ? empty('Nothing was found', 'All checks after the start of this node have passed.') : null),
  ];
}

function incidentCard({elections, detail, action, since}) {
  return problem('bad', ['The store gives no usable answer about ', elections.sort().map((name, index) => [index ? ', ' : '', electionLink(name)]), `: ${detail}`],
    sentence(action), since);
}

function problems(name, view) {
  const {impediments = [], sharedWith} = view;
  return [
    ...impediments.map((each) => problem(each.stopsWork ? 'bad' : 'warn', [electionLink(name), ` ${each.what}: ${each.detail}`], sentence(each.action), each.since)),
    sharedWith ? problem('warn', [electionLink(name), ` is shared with ${sharedWith.join(', ')}`], 'Only one of these applications leads: give each its own election.redis.key-prefix, or the same spring.application.name if they are one.') : null,
  ].filter(Boolean);
}

function problem(kind, what, action, since) {
  return h('div', {class: `card problem ${kind}`}, h('p', {}, h('b', {}, what)), h('p', {}, action), since ? h('p', {class: 'hint'}, 'Since ', time(since)) : null);
}

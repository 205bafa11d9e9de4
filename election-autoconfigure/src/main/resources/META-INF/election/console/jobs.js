// The latest runs of the jobs of an election, on all nodes.

import {h} from './dom.js';
import {leaders} from './groups.js';
import {choice, empty, longTable, mark, nodeName, search} from './parts.js';
import {duration, time, wholeSeconds} from './time.js';

/** A run that began later than that after its slot was missed first. */
const LATE = 10_000;

const OUTCOMES = {
  RUNNING: ['plain', 'runs'],
  DONE: ['good', 'done'],
  FAILED: ['bad', 'failed'],
  INTERRUPTED: ['warn', 'interrupted'],
  CLAIMED: ['bad', 'missed'],
  UNKNOWN: ['warn', 'end not recorded'],
};

const EXPLANATIONS = {
  CLAIMED: 'Its leader ended before the job began. It is not run again.',
  UNKNOWN: 'Its node does not lead any more. It has died, or the job still runs there.',
};

export function jobsView(state) {
  const {overview, route, ui, jobs} = state;
  const names = Object.keys(leaders(overview));
  const election = route.name ?? names[0];
  const head = h('div', {class: 'title'}, h('h1', {tabindex: '-1'}, 'Jobs'), names.length ? h('label', {}, 'of the election ', h('select', {
    onchange: (event) => { location.hash = `#/jobs/${encodeURIComponent(event.currentTarget.value)}`; },
  }, names.map((name) => h('option', {value: name, selected: name === election}, name)))) : null,
  search('Search jobs or nodes', ui.search, (text) => state.change({search: text})),
  choice('Which runs', [[false, 'All runs'], [true, 'With problems']], ui.problemsOnly, (problemsOnly) => state.change({problemsOnly})));
  if (!jobs || jobs.name !== election) {
    return [head, h('p', {class: 'quiet'}, names.length ? 'Asking the store…' : 'This node takes part in no election.')];
  }
  if (jobs.problem) {
    return [head, h('p', {class: 'notice warn'}, jobs.problem)];
  }
  if (!jobs.runs.length) {
    return [head, empty('No run is recorded', 'Guard a @Scheduled method or a Quartz job with @LeaderOnly. Each run appears here about a second after it.')];
  }
  const rows = jobs.runs.filter((run) => `${run.job} ${run.node}`.toLowerCase().includes(ui.search.toLowerCase()))
    .filter((run) => !ui.problemsOnly || lateness(run) > LATE || !['DONE', 'RUNNING'].includes(run.outcome));
  return [head, rows.length ? longTable(state, {
    label: `Runs of the jobs of ${election}`, rows, keyOf: (run) => `${run.job}-${run.slot}-${run.startedAt}-${run.token}`,
    columns: [
      {title: 'Job', cell: (run) => h('span', {class: 'id'}, run.job)},
      {title: 'Outcome', cell: (run) => outcome(run)},
      {title: 'Slot', cell: (run) => (run.slot ? time(run.slot) : null), class: 'number'},
      {title: 'Started', cell: (run) => [time(run.startedAt), lateness(run) > LATE ? [' ', mark('warn', `${wholeSeconds(lateness(run))} late`)] : ''], class: 'number'},
      {title: 'Took', cell: (run) => took(run, state), class: 'number'},
      {title: 'Node', cell: (run) => nodeName(run.node, overview.node.id)},
      {title: 'Token', cell: (run) => run.token, class: 'number'},
    ],
  }) : empty('Nothing found', 'No run matches what you chose.')];
}

function lateness(run) {
  return run.slot ? Date.parse(run.startedAt) - Date.parse(run.slot) : 0;
}

function took(run, state) {
  if (run.outcome === 'RUNNING') {
    return `${wholeSeconds(state.nodeTime() - Date.parse(run.startedAt))} so far`;
  }
  return run.endedAt ? duration(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : null;
}

function outcome(run) {
  const [kind, word] = OUTCOMES[run.outcome] ?? ['plain', run.outcome];
  return [mark(kind, word), run.failure ? h('div', {class: 'quiet id'}, run.failure) : null,
    EXPLANATIONS[run.outcome] ? h('div', {class: 'quiet'}, EXPLANATIONS[run.outcome]) : null];
}

// The jobs of all elections, and the runs of one.

import {runButton} from './actions.js';
import {h} from './dom.js';
import {choice, electionLink, empty, mark, nodeName, search, table} from './parts.js';
import {duration, time, wholeSeconds} from './time.js';

/** A run that began later than that after its slot was missed first. */
const LATE = 10_000;

const OUTCOMES = {
  RUNNING: ['plain', 'runs'],
  DONE: ['good', 'done'],
  FAILED: ['bad', 'failed'],
  INTERRUPTED: ['warn', 'interrupted'],
  CLAIMED: ['bad', 'missed', 'Not run again: its leader ended before it began.'],
  UNKNOWN: ['warn', 'end unknown', 'Its node does not lead any more: it has died, or the job still runs there.'],
};

export function jobsView(state) {
  const {route, ui, jobs} = state;
  const head = h('div', {class: 'title'}, h('h1', {tabindex: '-1'}, route.name ? `Jobs of ${route.name}` : 'Jobs'),
    search('Search jobs or nodes', ui.search, (text) => state.change({search: text})),
    choice('Which jobs', [[false, 'All jobs'], [true, 'With problems']], ui.problemsOnly, (problemsOnly) => state.change({problemsOnly})));
  if (!jobs || jobs.name !== route.name) {
    return [head, h('p', {class: 'quiet'}, 'Asking the store…')];
  }
  if (jobs.problem) {
    return [head, h('p', {class: 'notice warn'}, jobs.problem)];
  }
  const unread = Object.entries(jobs.unread ?? {}).map(([election, why]) => h('p', {class: 'notice warn'}, `${election}: ${why}`));
  if (!jobs.jobs.length) {
    return [head, unread, empty('There is no job', 'Guard a @Scheduled method or a Quartz job with @LeaderOnly.')];
  }
  const rows = jobs.jobs.filter(({job, election, last}) => `${job} ${election} ${last?.node ?? ''}`.toLowerCase().includes(ui.search.toLowerCase()))
    .filter(({last}) => !ui.problemsOnly || (last && (lateness(last) > LATE || !['DONE', 'RUNNING'].includes(last.outcome))));
  return [head, unread, rows.length ? h('ul', {class: 'card jobs'}, rows.map((row) => line(row, state)))
    : empty('Nothing found')];
}

function line(row, state) {
  const {job, election, last, next} = row;
  const key = `${election} ${job}`;
  const isOpen = state.ui.openJob === key;
  return h('li', {'data-key': key},
    h('button', {type: 'button', class: 'job', 'aria-expanded': String(isOpen), onclick: () => {
      state.change({openJob: isOpen ? '' : key});
      state.poll.now();
    }},
    h('span', {class: 'id', title: job}, job),
    last ? outcome(last) : mark('plain', 'no run yet'),
    [['number narrow', last && wholeSeconds(state.nodeTime() - Date.parse(last.startedAt))], ['number wide', last && time(last.startedAt)],
      ['number wide', last && took(last, state)], ['id wide', last?.node], ['number wide', next && ['next ', time(next)]], ['id quiet wide', election]]
      .map(([name, content]) => h('span', {class: name}, content))),
    isOpen && opened(row, state));
}

function opened({job, election, next, byHand}, state) {
  const {overview, jobs} = state;
  const runs = jobs.opened?.key === state.ui.openJob && jobs.opened.runs;
  return h('div', {class: 'runs'},
    h('div', {class: 'title'}, h('p', {}, 'Election ', electionLink(election), next && [', next run ', time(next)]),
      overview.writable && byHand && runButton(state, election, job)),
    runs && table({
      label: `Runs of ${job}`, rows: runs, keyOf: (run) => `${run.slot}-${run.startedAt}-${run.token}`,
      columns: [
        {title: 'Started', cell: (run) => [time(run.startedAt), lateness(run) > LATE ? [' ', mark('warn', `${wholeSeconds(lateness(run))} late`)] : ''], class: 'number'},
        {title: 'Outcome', cell: (run) => [outcome(run), run.failure && h('div', {class: 'quiet id'}, run.failure),
          OUTCOMES[run.outcome]?.[2] && h('div', {class: 'quiet'}, OUTCOMES[run.outcome][2])]},
        {title: 'Took', cell: (run) => took(run, state), class: 'number'},
        {title: 'Slot', cell: (run) => (run.slot ? time(run.slot) : run.requestedBy ? `by hand, ${run.requestedBy}` : null)},
        {title: 'Node', cell: (run) => nodeName(run.node, overview.node.id)},
      ],
    }));
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
  return mark(kind, word);
}

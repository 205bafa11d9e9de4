// The jobs of all elections, a line each, and the latest runs of the one that is opened.

import {runButton} from './actions.js';
import {h} from './dom.js';
import {leaders} from './groups.js';
import {choice, electionLink, empty, mark, nodeName, search, table} from './parts.js';
import {duration, time, wholeSeconds} from './time.js';

/** A run that began later than that after its slot was missed first. */
const LATE = 10_000;

const OUTCOMES = {
  RUNNING: ['plain', 'runs'],
  DONE: ['good', 'done'],
  FAILED: ['bad', 'failed'],
  INTERRUPTED: ['warn', 'interrupted'],
  CLAIMED: ['bad', 'missed'],
  UNKNOWN: ['warn', 'end unknown'],
};

const EXPLANATIONS = {
  CLAIMED: 'Its leader ended before the job began. It is not run again.',
  UNKNOWN: 'Its node does not lead any more. It has died, or the job still runs there.',
};

export function jobsView(state) {
  const {overview, route, ui, jobs} = state;
  const partitions = Object.keys(leaders(overview)).filter((name) => !(name in overview.elections));
  const head = h('div', {class: 'title'}, h('h1', {tabindex: '-1'}, 'Jobs'), partitions.length ? h('label', {}, 'of ', h('select', {
    onchange: (event) => { location.hash = `#/jobs/${encodeURIComponent(event.currentTarget.value)}`; },
  }, ['', ...partitions].map((name) => h('option', {value: name, selected: name === (route.name ?? '')}, name || 'all elections')))) : null,
  search('Search jobs or nodes', ui.search, (text) => state.change({search: text})),
  choice('Which jobs', [[false, 'All jobs'], [true, 'With problems']], ui.problemsOnly, (problemsOnly) => state.change({problemsOnly})));
  if (!jobs || jobs.name !== route.name) {
    return [head, h('p', {class: 'quiet'}, 'Asking the store…')];
  }
  if (jobs.problem) {
    return [head, h('p', {class: 'notice warn'}, jobs.problem)];
  }
  const unread = Object.entries(jobs.unread ?? {}).map(([election, why]) => h('p', {class: 'notice warn', 'data-key': election}, `The runs of ${election} can't be read: ${why}`));
  if (!jobs.jobs.length) {
    return [head, unread, empty('There is no job', 'Guard a @Scheduled method or a Quartz job with @LeaderOnly. Each run appears here about a second after it.')];
  }
  const rows = jobs.jobs.filter(({job, election, last}) => `${job} ${election} ${last?.node ?? ''}`.toLowerCase().includes(ui.search.toLowerCase()))
    .filter(({last}) => !ui.problemsOnly || (last && isProblem(last)));
  return [head, unread, rows.length ? h('ul', {class: 'card jobs', 'aria-label': 'Jobs'}, rows.map((row) => line(row, state)))
    : empty('Nothing found', 'No job matches what you chose.')];
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
    h('span', {class: 'number narrow'}, last ? wholeSeconds(state.nodeTime() - Date.parse(last.startedAt)) : ''),
    h('span', {class: 'number wide'}, last ? time(last.startedAt) : ''),
    h('span', {class: 'number wide'}, last ? took(last, state) : ''),
    h('span', {class: 'id wide'}, last?.node ?? ''),
    h('span', {class: 'number wide'}, next ? ['next ', time(next)] : ''),
    h('span', {class: 'id quiet wide'}, election)),
    isOpen ? opened(row, key, state) : null);
}

function opened({job, election, last, next, byHand}, key, state) {
  const {overview, jobs} = state;
  const runs = jobs.opened?.key === key ? jobs.opened.runs : null;
  return h('div', {class: 'runs'},
    h('div', {class: 'title'}, h('p', {}, 'Election ', electionLink(election), next ? [', next run ', time(next)] : ''),
      overview.writable && byHand ? runButton(state, election, job) : null),
    !runs ? h('p', {class: 'quiet'}, last ? 'Asking the store…' : 'No run is recorded.') : table({
      label: `Runs of ${job}`, rows: runs, keyOf: (run) => `${run.slot}-${run.startedAt}-${run.token}`,
      columns: [
        {title: 'Started', cell: (run) => [time(run.startedAt), lateness(run) > LATE ? [' ', mark('warn', `${wholeSeconds(lateness(run))} late`)] : ''], class: 'number'},
        {title: 'Outcome', cell: (run) => [outcome(run), run.failure ? h('div', {class: 'quiet id'}, run.failure) : null,
          EXPLANATIONS[run.outcome] ? h('div', {class: 'quiet'}, EXPLANATIONS[run.outcome]) : null]},
        {title: 'Took', cell: (run) => took(run, state), class: 'number'},
        {title: 'Slot', cell: (run) => (run.slot ? time(run.slot) : run.requestedBy ? `by hand, ${run.requestedBy}` : null)},
        {title: 'Node', cell: (run) => nodeName(run.node, overview.node.id)},
        {title: 'Token', cell: (run) => run.token, class: 'number'},
      ],
    }));
}

function isProblem(run) {
  return lateness(run) > LATE || !['DONE', 'RUNNING'].includes(run.outcome);
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

// Puts the page together: what is shown, what is asked, and what has been answered.

import {get} from './api.js';
import {checksView} from './checks.js';
import {h, morph} from './dom.js';
import {electionView} from './election.js';
import {announce, everything, foot, head, notices} from './frame.js';
import {groupOf, leaders} from './groups.js';
import {jobsView} from './jobs.js';
import {membersView} from './members.js';
import {restoreView} from './memory.js';
import {overviewView} from './overview.js';
import {Poll} from './poll.js';

/** All browsers together make the node read the store no more often than that. */
const MAX_AGE = '1s';

const VIEWS = {'': overviewView, elections: electionView, members: membersView, jobs: jobsView, checks: checksView};

const watchers = new Set();

const state = {
  route: {view: '', name: null},
  overview: null,
  overviewAt: 0,
  opened: null,
  jobs: null,
  /** By election, the token of the leader that has not reacted to a request of this page. */
  withoutReaction: {},
  ui: {search: '', range: 'hour', moment: '', allRows: false, problemsOnly: false, openJob: '', membersBy: {key: 'Joined', down: false}},
  poll: null,
  /** The time of this node, counted on since its answer. */
  nodeTime: () => Date.parse(state.overview.answeredAt) + (Date.now() - state.overviewAt),
  change(ui) {
    Object.assign(state.ui, ui);
    render();
  },
  /** Asks more often, and calls back after each answer until the returned function is called. */
  watch(watcher) {
    watchers.add(watcher);
    state.poll.hurry(true);
    return () => {
      watchers.delete(watcher);
      state.poll.hurry(watchers.size > 0);
    };
  },
};

async function ask() {
  const overview = await get([]);
  announceChanges(state.overview, overview);
  state.overview = overview;
  state.overviewAt = Date.now();
  const {view, name} = state.route;
  if (view === 'elections' && name in leaders(overview)) {
    await askElection(name);
  } else if (view === 'jobs') {
    await askJobs(name);
  }
  watchers.forEach((watcher) => watcher());
}

async function askElection(name) {
  const before = state.opened?.name === name ? state.opened : null;
  const view = await get([name], {maxAge: MAX_AGE, knownHistory: before?.version});
  const isRead = view.freshness.problem === null;
  const isNewer = isRead && view.freshness.storeReadAt !== before?.readAt;
  state.opened = {
    name,
    view,
    receivedAt: isNewer || !before ? Date.now() : before.receivedAt,
    readAt: isRead ? view.freshness.storeReadAt : before?.readAt,
    readReceivedAt: isNewer ? Date.now() : before?.readReceivedAt,
    leaderships: view.leaderships ?? before?.leaderships,
    version: view.historyVersion ?? before?.version,
  };
}

async function askJobs(name) {
  try {
    const jobs = name ? byJob(name, await get([name, 'jobs'], {maxAge: MAX_AGE})) : await get(['*', 'jobs'], {maxAge: MAX_AGE});
    const key = state.ui.openJob;
    const row = jobs.jobs.find(({election, job}) => `${election} ${job}` === key);
    const opened = row?.last ? {key, ...await get([row.election, 'jobs'], {job: row.job})} : null;
    state.jobs = {name, ...jobs, opened};
  } catch (failure) {
    if (failure.kind !== 'failed' && failure.kind !== 'absent') {
      throw failure;
    }
    state.jobs = {name, problem: failure.message};
  }
}

function byJob(election, {runs}) {
  return {jobs: [...new Set(runs.map(({job}) => job))].map((job) => ({job, election, last: runs.find((run) => run.job === job)}))};
}

function announceChanges(before, after) {
  if (!before) {
    return;
  }
  const [known, present] = [leaders(before), leaders(after)];
  const changed = Object.keys(present).filter((name) => name in known && known[name] !== present[name]);
  const single = changed.filter((name) => name in after.elections);
  const groups = Object.keys(after.partitions ?? {}).map((group) => [group, changed.filter((name) => groupOf(after, name) === group).length]);
  const texts = [
    ...single.length > 2 ? [`${single.length} elections have another leader or none.`]
      : single.map((name) => (present[name] ? `${present[name]} leads ${name}.` : `${name} has no leader.`)),
    ...groups.filter(([, moved]) => moved).map(([group, moved]) => `${moved} of the partitions of ${group} have another leader or none.`),
  ];
  if (texts.length) {
    announce(texts.join(' '));
  }
}

function readRoute() {
  const [view = '', name] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  return view in VIEWS ? {view, name: name || null} : {view: '', name: null};
}

function render() {
  const {overview, poll, route} = state;
  const isWaiting = !overview && !poll.failure;
  const content = overview ? VIEWS[route.view](state) : isWaiting ? h('p', {class: 'notice'}, 'Asking the node…') : null;
  morph(document.getElementById('app'), h('div', {id: 'app', class: poll.failure && overview ? 'stale' : null},
    head(state), h('div', {class: 'notices'}, notices(state)), h('main', {'data-key': `${route.view}/${route.name ?? ''}`}, content), foot(state)));
  document.title = titleOf(state);
}

function titleOf({overview, route}) {
  if (!overview) {
    return 'Leaders';
  }
  const without = Object.entries(everything(overview)).filter(([, view]) => (view.withoutLeader ? view.withoutLeader.length : !view.leader && view.role !== 'STOPPED')).map(([name]) => name);
  return `${without.length ? `No leader: ${without.slice(0, 2).join(', ')}${without.length > 2 ? ' …' : ''} – ` : ''}${route.name ?? 'Leaders'} – ${overview.node.id}`;
}

function routeChanged() {
  state.route = readRoute();
  Object.assign(state.ui, {search: '', moment: '', allRows: false});
  render();
  document.querySelector('main h1')?.focus();
  scrollTo(0, 0);
  state.poll.now();
}

restoreView();
state.route = readRoute();
state.poll = new Poll(ask, render);
addEventListener('hashchange', routeChanged);
// What counts on: leases, ages, the time of the next question.
setInterval(() => document.hidden || render(), 1000);
state.poll.now();

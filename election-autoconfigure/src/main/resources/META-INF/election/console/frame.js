// What is around each view: the head with the state of the connection, notices, the foot.

import {h} from './dom.js';
import {rememberView} from './memory.js';
import {INTERVALS} from './poll.js';
import {clock, wholeSeconds, zone} from './time.js';

/** Says something to those who hear the page. */
export function announce(text) {
  document.getElementById('announcer').textContent = text;
}

export function head(state) {
  const {overview, route, poll} = state;
  const problems = countProblems(overview);
  return h('header', {class: 'head'},
    h('div', {class: 'brand'},
      h('a', {href: '#/', class: 'home'}, 'Leaders'),
      overview ? h('span', {class: 'seen-by'}, 'as ', h('b', {class: 'id'}, overview.node.id), ' sees them') : null),
    h('nav', {'aria-label': 'Views'}, [['', 'Elections'], ['members', 'Members'], ['jobs', 'Jobs'], ['checks', 'Checks']].map(([path, title]) =>
      h('a', {href: `#/${path}`, 'aria-current': isCurrent(route, path) ? 'page' : null}, title,
        path === 'checks' && problems ? h('span', {class: 'count'}, problems, h('span', {class: 'unseen'}, ' problems')) : null))),
    h('div', {class: 'connection'}, connection(state),
      h('label', {}, h('span', {class: 'unseen'}, 'Ask every'), h('select', {
        onchange: (event) => poll.choose(Number(event.currentTarget.value)),
      }, INTERVALS.map((each) => h('option', {value: each, selected: each === poll.interval}, `every ${each} s`)))),
      h('button', {type: 'button', onclick: () => poll.now()}, 'Ask now')));
}

function isCurrent(route, path) {
  return route.view === path || (path === '' && route.view === 'elections') ;
}

function countProblems(overview) {
  return overview ? (overview.checks?.findings.length ?? 0) + incidents(overview).length + Object.values(everything(overview))
    .reduce((sum, election) => sum + (election.impediments?.length ?? 0) + (election.sharedWith ? 1 : 0), 0) : 0;
}

/** The elections and the groups of partitions, by name. */
export function everything(overview) {
  return {...overview.elections, ...overview.partitions};
}

/** The present incidents of the store, the earliest first. Elections with the same kind of problem have one incident. */
export function incidents(overview) {
  const byProblem = new Map();
  Object.entries(overview ? everything(overview) : {}).filter(([, {incident}]) => incident)
    .sort(([, one], [, other]) => one.incident.since.localeCompare(other.incident.since))
    .forEach(([name, {incident}]) => {
      const known = byProblem.get(incident.problem) ?? {...incident, elections: []};
      known.elections.push(name);
      byProblem.set(incident.problem, known);
    });
  return [...byProblem.values()];
}

function connection({poll}) {
  const isLive = !poll.failure && poll.answeredAt;
  return h('span', {class: `live ${isLive ? 'good' : 'warn'}`}, h('i', {'aria-hidden': 'true'}),
    isLive ? h('span', {}, 'answered ', h('span', {class: 'number'}, clock(poll.answeredAt)))
      : poll.failure ? 'no answer' : 'asking');
}

/** What keeps the page from showing the present. */
export function notices({poll, overview}) {
  const {failure} = poll;
  const notices = [];
  if (failure) {
    notices.push(h('div', {class: 'notice warn', 'data-key': 'failure'}, failureText(failure, poll, overview)));
  }
  if (overview?.notYetCandidate) {
    notices.push(h('div', {class: 'notice', 'data-key': 'start'}, h('b', {}, 'This node does not take part yet. '),
      `It waits for ${overview.notYetCandidate.waitsFor}. ${overview.notYetCandidate.action}`));
  }
  const away = !failure && incidents(overview)[0];
  if (away) {
    notices.push(h('div', {class: 'notice warn', 'data-key': 'store'},
      h('b', {}, `The store has not answered this node since ${clock(Date.parse(away.since))}. `),
      `This node asks again by itself. What it last knew of other leaders may be out of date. ${sentence(away.action)} (${away.detail})`));
  }
  return notices;
}

export function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function failureText({error, since}, poll, overview) {
  if (error.kind === 'signed-out') {
    return [h('b', {}, `${error.message} `), overview ? `What you see is from ${clock(since)}. ` : '',
      h('a', {href: location.pathname + location.search, onclick: rememberView}, 'Sign in again')];
  }
  if (error.kind === 'forbidden') {
    return [h('b', {}, 'You may not see the elections. '), 'The application answers 403. Sign in as a user who may read the endpoint "leader".'];
  }
  if (error.kind === 'absent') {
    return [h('b', {}, 'The endpoint "leader" is not there. '), 'Add it: ',
      h('code', {}, 'management.endpoints.web.exposure.include=health,leader,leaderconsole')];
  }
  const next = poll.nextAt === null || poll.isAsking ? 'Asking…' : `Asks again in ${wholeSeconds(poll.nextAt - Date.now() + 999)}.`;
  return [h('b', {}, overview ? `${overview.node.id} has not answered since ${clock(since)}. ` : 'The node does not answer. '),
    overview ? 'What you see is from then. ' : '', next];
}

export function foot({overview}) {
  return h('footer', {class: 'foot'},
    h('span', {}, `Times in ${zone()}`),
    overview ? h('span', {}, `Kept in ${overview.store}`) : null);
}

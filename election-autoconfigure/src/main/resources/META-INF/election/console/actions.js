// Moves leadership: asks for what is needed, sends the request, and says how it goes.

import {abdicate, address, post} from './api.js';
import {copy} from './copy.js';
import {openDialog} from './dialog.js';
import {h} from './dom.js';
import {knownOf} from './groups.js';
import {rememberView} from './memory.js';
import {successors} from './overview.js';
import {clock} from './time.js';

export function actionButtons(state, election) {
  const button = (kind, text, isOff) => h('button', {
    type: 'button', class: kind === 'force' ? 'danger' : null, disabled: isOff, onclick: () => open(kind, state, election),
  }, text);
  const leader = leaderOf(state, election);
  return [button('abdicate', 'Give up…', !leader), button('hand-over', 'Hand over…', !leader),
    leader && leader.token === state.withoutReaction[election] ? button('force', 'Force…') : null];
}

/** Drains a member, or lets it lead again. */
export function stateButton(state, member) {
  const isDrained = Boolean(member.drained);
  return h('button', {type: 'button', class: 'link', onclick: () => openState(state, member, isDrained)}, isDrained ? 'Let it lead again…' : 'Drain…');
}

function openState(state, member, isDrained) {
  order(state, isDrained ? `Let ${member.id} lead again` : `Drain ${member.id}`, isDrained ? `${member.id} campaigns again, and leads when its turn comes.`
    : `${member.id} hands over what it leads after its running work, and leads nothing until it is set to active. The store keeps that, also when everybody restarts.`,
  isDrained ? 'Let it lead again' : 'Drain', !isDrained, (chosen) => post(['members', member.id], {state: isDrained ? 'active' : 'drained', ...chosen}));
}

/** Runs a job now. */
export function runButton(state, election, job) {
  return h('button', {type: 'button', onclick: () => order(state, `Run ${job} now`,
    `The leader of ${election} runs it at once, unless it runs. A scheduled time that comes meanwhile runs after it.`,
    'Run now', true, (chosen) => post([election, 'jobs', job], chosen))}, 'Run now…');
}

function order(state, title, text, submit, hasReason, send) {
  const form = h('form', {
    onsubmit: async (event) => {
      event.preventDefault();
      const reason = form.elements.reason?.value.trim();
      const {progress, say} = progressIn(form);
      try {
        const {status, body} = await send({reason: reason || undefined});
        say(body.detail ? `${body.detail}.` : body.error ?? `The node answered with status ${status}.`, status < 300 ? 'good' : 'bad');
      } catch (failure) {
        fail(failure, say, progress);
      }
      state.poll.now();
    },
  },
  h('p', {}, text), hasReason ? reasonField() : null,
  h('div', {class: 'buttons'},
    h('button', {type: 'button', onclick: () => form.closest('dialog').close()}, 'Cancel'),
    h('button', {type: 'submit', class: 'solid', autofocus: true}, submit)));
  openDialog(title, form);
}

/** Shows in place of a form how it goes. */
function progressIn(form) {
  const dialog = form.closest('dialog');
  const progress = h('ol', {class: 'progress', 'aria-live': 'polite'});
  const close = h('button', {type: 'button', onclick: () => dialog.close()}, 'Close');
  form.replaceWith(progress, h('div', {class: 'buttons'}, close));
  close.focus();
  return {progress, say: (text, how = '') => {
    if (progress.lastElementChild?.dataset.text !== text) {
      progress.append(h('li', {'data-text': text, class: how}, h('span', {class: 'number quiet'}, clock(Date.now())), ' ', h('span', {}, text)));
    }
  }};
}

/** The store's word before this node's. */
function leaderOf(state, election) {
  const read = state.opened?.name === election && state.opened.view.freshness.problem === null ? state.opened.view : null;
  return (read ?? knownOf(state, election))?.leader ?? null;
}

const TITLES = {
  abdicate: (leader) => `Let ${leader} give up leadership`,
  'hand-over': (leader) => `Hand over from ${leader}`,
  force: (leader) => `Take leadership away from ${leader}`,
};

const INTRODUCTIONS = {
  abdicate: (leader) => [h('p', {}, `${leader} admits no new work, waits for its running work and releases its lease. Then the next candidate leads.`)],
  'hand-over': (leader) => [h('p', {}, `${leader} admits no new work, waits for its running work and releases its lease. For three seconds only the chosen node may take over, then any.`)],
  force: (leader, election) => [
    h('p', {}, `${leader} is asked first, as with "Give up". If it does not react, its lease is taken away.`),
    h('p', {class: 'danger-text'}, `A node that hangs can't be told. If ${leader} resumes before its own deadline, it and the new leader both do the work of the leader, `
      + 'until its next request to the store. For that time only the fencing token tells their work apart.'),
    h('p', {}, 'To go on, type the name of the election: ', h('b', {class: 'id'}, election)),
  ],
};

function open(kind, state, election) {
  const leader = leaderOf(state, election);
  if (!leader) {
    return;
  }
  const submit = h('button', {type: 'submit', class: kind === 'force' ? 'danger solid' : 'solid', disabled: kind === 'force'},
    {abdicate: 'Give up', 'hand-over': 'Hand over', force: 'Force'}[kind]);
  const form = h('form', {
    onsubmit: (event) => {
      event.preventDefault();
      send(kind, form, state, election, leader);
    },
  },
  INTRODUCTIONS[kind](leader.node, election),
  kind === 'force' ? field('Name of the election', h('input', {name: 'typed', autocomplete: 'off', autofocus: true, oninput: (event) => {
    submit.disabled = event.currentTarget.value !== election;
  }})) : null,
  kind === 'abdicate' ? null : successorField(kind, state, election),
  field('Its running work may take', h('input', {name: 'drain', placeholder: 'its own drain time', autocomplete: 'off'}), 'Such as 10s or 2m'),
  field('It does not campaign for', h('input', {name: 'cooldown', placeholder: kind === 'hand-over' ? '3s' : '1s', autocomplete: 'off'}), 'Such as 30s, at most a day'),
  reasonField(),
  h('div', {class: 'buttons'},
    h('button', {type: 'button', class: 'link', onclick: () => copy(curl(election, parameters(kind, form)), 'the command')}, 'Copy as curl'),
    h('button', {type: 'button', onclick: () => form.closest('dialog').close()}, 'Cancel'),
    submit));
  openDialog(TITLES[kind](leader.node), form);
}

function reasonField() {
  return field('Reason', h('input', {name: 'reason', maxlength: 100, autocomplete: 'off'}), 'For the history and the log');
}

function field(label, input, hint) {
  return h('label', {class: 'field'}, h('span', {}, label), input, hint ? h('small', {}, hint) : null);
}

function successorField(kind, state, election) {
  const candidates = successors(state.overview, election, knownOf(state, election)).map((member) => member.id);
  const isRequired = kind === 'hand-over';
  return field('New leader', candidates.length
    ? h('select', {name: 'to', required: isRequired}, isRequired ? null : h('option', {value: ''}, 'the next in line'), candidates.map((id) => h('option', {value: id}, id)))
    : h('input', {name: 'to', required: isRequired, placeholder: 'id of a node', autocomplete: 'off'}));
}

function parameters(kind, form) {
  const {to, drain, cooldown, reason} = Object.fromEntries(new FormData(form));
  return {to, drain: drain.trim(), cooldown: cooldown.trim(), reason: reason.trim(), force: kind === 'force' ? 'true' : ''};
}

function curl(election, chosen) {
  return `curl -X DELETE '${address([election], chosen).href.replaceAll("'", '%27')}'`;
}

async function send(kind, form, state, election, leader) {
  const chosen = parameters(kind, form);
  const {progress, say} = progressIn(form);
  say(`Requested that ${leader.node} gives up the leadership of ${election}.`);
  const stopWatching = state.watch(() => say(progressOf(state, election, leader)));
  try {
    const {status, body} = await abdicate(election, chosen);
    stopWatching();
    conclude(status, body, say);
    if (body.outcome === 'NO_REACTION' && kind !== 'force') {
      state.withoutReaction[election] = leader.token;
      say('If you know that it hangs, take its leadership away: "Force…" is offered now.', 'warn');
    }
  } catch (failure) {
    stopWatching();
    fail(failure, say, progress);
  }
  state.poll.now();
}

/** What the latest answers say of it. Whether the leader has received the request is not known before the answer. */
function progressOf(state, election, before) {
  if (state.poll.failure) {
    return 'This node does not answer at the moment.';
  }
  const leader = leaderOf(state, election);
  if (leader && leader.token !== before.token) {
    return `${leader.node} leads now.`;
  }
  if (!leader) {
    return `${before.node} no longer leads. Nobody leads yet.`;
  }
  const {role, runningWork} = knownOf(state, election) ?? {};
  const work = before.node === state.overview.node.id && role === 'LEADER' ? runningWork : null;
  return work ? `${before.node} still leads, and ${work} ${work === 1 ? 'piece of its work runs' : 'pieces of its work run'}.` : `${before.node} still leads.`;
}

function conclude(status, body, say) {
  if (body.outcome === undefined) {
    say(`${body.error ?? `The node answered with status ${status}.`}`, 'bad');
  } else {
    const isDone = status === 200;
    say(`${body.detail}. It took ${body.took}.`, isDone ? 'good' : status === 202 ? 'warn' : 'bad');
    if (status === 202) {
      say('It releases its lease when that work has ended. The view behind this shows it.', 'warn');
    }
  }
}

const FAILURES = {
  forbidden: 'You may not do this: the application answered 403, and nothing was changed. Sign in as a user who may send DELETE and POST to the endpoint "leader". '
    + 'If you are that user, the application has to hand out its CSRF token as the cookie XSRF-TOKEN.',
  'signed-out': 'Nothing was changed: you are not signed in, or your session has ended.',
  unreachable: 'The answer was lost. The request may have been carried out: see who leads.',
};

function fail(failure, say, progress) {
  say(FAILURES[failure.kind] ?? failure.message, 'bad');
  if (failure.kind === 'signed-out') {
    progress.lastElementChild.append(' ', h('a', {href: location.pathname + location.search, onclick: rememberView}, 'Sign in again'));
  }
}

// The token is in the fragment of the address, which browsers send to no server.
const token = location.hash.slice(1);
const headers = { 'X-Playground-Token': token };
const INTERVAL = 700;

const byId = id => document.getElementById(id);
const time = text => new Date(text).toLocaleTimeString();

function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(text, path, disabledBecause) {
  const made = element('button', text);
  made.type = 'button';
  made.dataset.path = path;
  made.disabled = Boolean(disabledBecause);
  if (disabledBecause) made.title = disabledBecause;
  return made;
}

/** Replaces the children only if they have changed: a button that is about to be clicked stays. The button in the place of the focused one has the focus. */
function fill(parent, children) {
  const next = document.createElement('div');
  next.append(...children);
  if (next.innerHTML === parent.innerHTML) return;
  const focused = [...parent.querySelectorAll('button')].indexOf(document.activeElement);
  parent.replaceChildren(...next.childNodes);
  parent.querySelectorAll('button')[focused]?.focus();
}

function electionOf(replica) {
  return replica.says?.elections?.default;
}

function roleOf(replica) {
  if (replica.state === 'DEAD') return 'Ended';
  if (replica.state === 'PAUSED') return 'Paused';
  if (!replica.address) return 'Starts…';
  const election = electionOf(replica);
  if (!election) return 'Does not answer';
  if (election.role === 'LEADER') return `Leads with token ${election.leader.token}`;
  return election.leader ? `Follows ${election.leader.node}` : 'Knows no leader';
}

function card(replica) {
  const leads = electionOf(replica)?.role === 'LEADER';
  const made = element('article', '', `card ${replica.state.toLowerCase()}${leads ? ' leads' : ''}`);
  made.append(element('h2', replica.name), element('p', roleOf(replica), 'role'));
  const facts = element('p', `Process ${replica.pid}${replica.isCutOff ? ', cut off from Redis' : ''}`, 'facts');
  if (replica.address) {
    const link = element('a', 'its console');
    link.href = `${replica.address}/actuator/leaderconsole`;
    link.target = '_blank';
    link.rel = 'noopener';
    facts.append(', ', link);
  }
  const path = action => `${replica.name}/${action}`;
  const dead = replica.state === 'DEAD';
  const actions = element('p', '', 'actions');
  actions.append(
    dead ? button('Start again', path('start')) : button('Kill (kill -9)', path('kill')),
    replica.state === 'PAUSED'
      ? button('Resume', path('resume'))
      : button('Pause', path('pause'), replica.noPause || (dead && 'It has ended')),
    replica.isCutOff ? button('Reconnect to Redis', path('reconnect')) : button('Cut off from Redis', path('cut')));
  made.append(facts, actions);
  if (replica.noPause) made.append(element('p', replica.noPause, 'note'));
  return made;
}

function showRedis(redis) {
  byId('redis-state').textContent = `${redis.isRunning ? 'Runs' : 'Stopped'} at port ${redis.port}`;
  byId('redis-state').className = redis.isRunning ? '' : 'bad';
  const taken = redis.snapshotTaken ? `snapshot of ${time(redis.snapshotTaken)}` : 'a snapshot';
  const running = redis.noActions || (!redis.isRunning && 'Redis is stopped');
  const stopped = redis.noActions || (redis.isRunning && 'Redis runs');
  fill(byId('redis-actions'), [
    button('Take a snapshot', 'redis/snapshot', running),
    button('Stop (kill -9)', 'redis/stop', running),
    button('Start empty', 'redis/start-empty', stopped),
    button(`Start with ${taken}`, 'redis/start-old', stopped || (!redis.snapshotTaken && 'No snapshot was taken'))]);
  byId('redis-note').textContent = redis.noActions ?? '';
}

function showVerdict(state) {
  const leaders = state.replicas.filter(replica => electionOf(replica)?.role === 'LEADER').map(replica => replica.name);
  const store = state.store;
  const lease = store?.freshness?.problem === null && store.leader
    ? `Redis: ${store.leader.node} has the lease with token ${store.leader.token}, for ${store.leader.leaseRemaining}.`
    : store?.freshness?.problem === null ? 'Redis: nobody has the lease.' : 'What Redis says is not known.';
  const who = leaders.length ? `${leaders.join(' and ')} says: I lead.` : 'No replica says that it leads.';
  byId('verdict').textContent = `${who} ${lease}`;
  byId('verdict').className = leaders.length === 1 ? '' : 'none';
}

function rows(entries) {
  return entries.slice().reverse().map(entry => {
    const row = document.createElement('tr');
    row.append(element('td', time(entry.at)), element('td', entry.subject), element('td', entry.text));
    return row;
  });
}

function showSlots(slots) {
  fill(byId('slots'), [
    `${slots.run} scheduled times of the digest have run: `,
    element('span', `${slots.twice} of them twice`, slots.twice ? 'bad' : 'good'),
    `, ${slots.leftOut} left out.`]);
}

function problem(text) {
  byId('problem').textContent = text;
  byId('problem').hidden = !text;
}

async function refresh() {
  try {
    const answer = await fetch('state', { headers });
    if (!answer.ok) throw new Error(await answer.text());
    const state = await answer.json();
    fill(byId('replicas'), state.replicas.map(card));
    showRedis(state.redis);
    showVerdict(state);
    showSlots(state.slots);
    fill(byId('events'), rows(state.events));
    fill(byId('jobs'), rows(state.jobs));
    if (problem.ofState) problem(problem.ofState = '');
  } catch (failure) {
    problem(problem.ofState = failure instanceof TypeError ? 'The playground does not answer. Was it ended?' : failure.message);
  }
}

document.addEventListener('click', async event => {
  const path = event.target.dataset?.path;
  if (!path) return;
  const answer = await fetch(`actions/${path}`, { method: 'POST', headers }).catch(() => null);
  problem(!answer ? 'The playground does not answer. Was it ended?' : answer.ok ? '' : await answer.text());
  await refresh();
});

async function keepRefreshing() {
  if (!document.hidden) await refresh();
  setTimeout(keepRefreshing, INTERVAL);
}

keepRefreshing();

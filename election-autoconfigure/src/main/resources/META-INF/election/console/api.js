// Asks the endpoint `leader`, whose address the page names relative to its own.

const ENDPOINT = new URL(document.querySelector('meta[name=leader-endpoint]').content, location.href);

/** Longer than the node waits for its store. */
const PATIENCE = 15_000;

/** No usable answer. The kind: unreachable, signed-out, forbidden, absent, failed. */
export class NoAnswer extends Error {
  constructor(kind, message, body) {
    super(message);
    this.kind = kind;
    this.body = body;
  }
}

/** The address of a path below the endpoint, such as ['default', 'jobs']. */
export function address(path, parameters = {}) {
  const url = new URL([ENDPOINT.pathname, ...path.map(encodeURIComponent)].join('/'), ENDPOINT);
  for (const [name, value] of Object.entries(parameters)) {
    if (value) {
      url.searchParams.set(name, value);
    }
  }
  return url;
}

/** The JSON of a successful answer. */
export async function get(path, parameters) {
  const {status, body} = await ask('GET', path, parameters, AbortSignal.timeout(PATIENCE));
  if (status >= 400) {
    throw new NoAnswer(status === 404 ? 'absent' : 'failed', body.error ?? `It answered with status ${status}.`, body);
  }
  return body;
}

/** The status and the JSON of the answer, which comes when the leadership has ended. */
export function abdicate(election, parameters) {
  return ask('DELETE', [election], parameters);
}

/** The status and the JSON of the answer to an order, which may have to reach the leader first. */
export function post(path, order) {
  return ask('POST', path, {}, undefined, order);
}

async function ask(method, path, parameters, signal, content) {
  let response;
  try {
    // With the first header Spring Security answers 401 without letting the browser ask for a password.
    response = await fetch(address(path, parameters), {
      method,
      signal,
      redirect: 'manual',
      cache: 'no-store',
      body: content ? JSON.stringify(content) : undefined,
      headers: {
        'X-Requested-With': 'XMLHttpRequest',
        Accept: 'application/json',
        ...(content ? {'Content-Type': 'application/json'} : {}),
        ...(method === 'GET' ? {} : csrfToken()),
      },
    });
  } catch {
    throw new NoAnswer('unreachable', 'There is no answer.');
  }
  if (response.status === 401 || response.type === 'opaqueredirect') {
    throw new NoAnswer('signed-out', 'You are not signed in, or your session has ended.');
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    // A page of a proxy, of a login or of the application.
  }
  if (response.status === 403) {
    throw new NoAnswer('forbidden', 'The application does not let you do this (403).');
  }
  if (body === null || typeof body !== 'object') {
    if (response.ok) {
      throw new NoAnswer('signed-out', 'A page came instead of an answer: most likely you have to sign in.');
    }
    throw response.status === 404
      ? new NoAnswer('absent', 'The endpoint "leader" is not there (404).')
      : new NoAnswer('unreachable', `It answered with status ${response.status}.`);
  }
  return {status: response.status, body};
}

/** What Spring Security wants back where it hands out its token by cookie. */
function csrfToken() {
  const cookie = document.cookie.split('; ').find((each) => each.startsWith('XSRF-TOKEN='));
  return cookie ? {'X-XSRF-TOKEN': decodeURIComponent(cookie.slice('XSRF-TOKEN='.length))} : {};
}

// What the browser remembers, where it may.

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without it.
  }
}

export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers the view for the time of a sign-in, which loses the end of the address. */
export function rememberView() {
  remember('election.view', location.hash);
}

/** Goes back to the remembered view if the address names none. */
export function restoreView() {
  const view = remembered('election.view');
  if (view && !location.hash) {
    history.replaceState(null, '', view);
  }
  remember('election.view', '');
}

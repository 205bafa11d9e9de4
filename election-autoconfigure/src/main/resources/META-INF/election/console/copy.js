// Copies text, also where the page has come without TLS and the browser offers no clipboard.

import {h} from './dom.js';
import {announce} from './frame.js';

export async function copy(text, name) {
  let copied = false;
  try {
    await navigator.clipboard.writeText(text);
    copied = true;
  } catch {
    const field = h('textarea', {class: 'unseen', 'aria-hidden': 'true', tabindex: '-1'}, text);
    const focused = document.activeElement;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    copied = document.execCommand('copy');
    field.remove();
    focused?.focus();
  }
  announce(copied ? `Copied ${name}` : `The browser did not let the page copy ${name}`);
}

/** A button that copies an id. */
export function copyButton(text) {
  return h('button', {
    class: 'copy', type: 'button', title: `Copy ${text}`, 'aria-label': `Copy ${text}`,
    onclick: async (event) => {
      const button = event.currentTarget;
      await copy(text, text);
      button.classList.add('copied');
      setTimeout(() => button.classList.remove('copied'), 1200);
    },
  });
}

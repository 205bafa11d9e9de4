// Opens a dialog. The browser keeps the focus in it, and Escape closes it.

import {h} from './dom.js';

/** Shows it; `closed` is called when it is gone. */
export function openDialog(title, content, closed = () => {}) {
  const opener = document.activeElement;
  const dialog = h('dialog', {'aria-labelledby': 'dialog-title', onclose: () => {
    dialog.remove();
    if (opener?.isConnected) {
      opener.focus();
    }
    closed();
  }}, h('h2', {id: 'dialog-title'}, title), content);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

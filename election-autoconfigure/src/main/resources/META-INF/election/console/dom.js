// Builds elements by functions, and changes a shown tree into a new one. Texts from outside only ever become text nodes and attributes.

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element: `h('p', {class: 'note'}, 'Text')`. Functions among the attributes are handlers of events. */
export function h(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(element, attributes, children) {
  element.handlers = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.handlers[name] = element[name] = value;
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== '')
    .map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Changes the shown element into the new one. What is the same stays, with its focus, its selection and what was typed. */
export function morph(shown, fresh) {
  if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== fresh.data) {
      shown.data = fresh.data;
    }
    return;
  }
  for (const {name} of [...shown.attributes]) {
    // A `details` opens and closes by itself.
    if (!fresh.hasAttribute(name) && name !== 'open') {
      shown.removeAttribute(name);
    }
  }
  for (const {name, value} of fresh.attributes) {
    if (shown.getAttribute(name) !== value) {
      shown.setAttribute(name, value);
    }
  }
  for (const name of Object.keys(shown.handlers ?? {})) {
    shown[name] = null;
  }
  shown.handlers = fresh.handlers ?? {};
  Object.assign(shown, shown.handlers);
  morphChildren(shown, fresh);
}

function morphChildren(shown, fresh) {
  const keyed = new Map([...shown.children].map((child) => [child.dataset.key, child]));
  let next = shown.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = child.dataset?.key;
    const match = key ? keyed.get(key) : next;
    if (!match || !isSame(match, child)) {
      shown.insertBefore(child, next);
    } else {
      if (match === next) {
        next = next.nextSibling;
      } else {
        shown.insertBefore(match, next);
      }
      morph(match, child);
    }
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
}

function isSame(one, other) {
  return one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
}

// Small helpers for the page. Every text of a contract or a request becomes a text node, never markup.

export const byId = (id) => document.getElementById(id);

/** An element with properties and children: `make('td', {className: 'mono'}, 'GET')`. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** The parts of a message, in which names stand between backticks. */
export function rich(text) {
  return text.split('`').map((part, index) => index % 2 ? make('code', {}, part) : part);
}

/** Does something, and shows why where it fails. */
export async function attempt(action) {
  try { return await action(); } catch (error) { notify(error.message); }
}

export function button(text, action) {
  const element = make('button', {type: 'button'}, text);
  element.addEventListener('click', action);
  return element;
}

let timer;

/** Shows a short message for some seconds. */
export function notify(text) {
  byId('notice').textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => { byId('notice').textContent = ''; }, 5000);
}

export function took(microseconds) {
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} is copied`);
  } catch {
    notify('The browser does not allow copying here');
  }
}

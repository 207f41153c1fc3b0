'use strict';

/**
 * The requests of a list, ended and open, in the order of their arrival. `number` is that of a request that has ended, `openNumber`
 * that of one whose response is or was late.
 */
function arrivals({ requests, open }) {
  const ended = requests.map((request) => ({ number: request.id, openNumber: request.open, request })).reverse();
  const opened = open.map(({ id, ...request }) => ({ openNumber: id, request })).reverse();
  // The sort is stable, and times are of one format.
  const order = (one, other) => (one.request.time < other.request.time ? -1 : one.request.time > other.request.time ? 1 : 0);
  return [...ended, ...opened].sort(order);
}

/** The requests that `next` has returned. */
class Returned {
  #numbers = new Set();
  #open = new Set();
  /** The mock need not list requests up to this number. */
  last = 0;
  /** The mock need not list open requests up to this number. */
  lastOpen = 0;

  #has({ number, openNumber }) {
    return number <= this.last || this.#numbers.has(number) || this.#open.has(openNumber);
  }

  /** Takes the first request that was not returned. */
  take(listed) {
    const found = listed.find((arrival) => !this.#has(arrival));
    if (found?.number) this.#numbers.add(found.number);
    if (found?.openNumber) this.#open.add(found.openNumber);
    if (listed.every((arrival) => this.#has(arrival))) {
      this.last = Math.max(this.last, ...listed.map(({ number = 0 }) => number));
      this.lastOpen = Math.max(this.lastOpen, ...listed.map(({ number, openNumber = 0 }) => (number ? 0 : openNumber)));
      this.#numbers.clear();
    }
    return found;
  }
}

module.exports = { Returned, arrivals };

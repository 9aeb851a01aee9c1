// What the tests share: the binary, forms, and lines over its stdio.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The binary under test. */
export const BINARY = process.env.ASKGATE_BIN ?? new URL('../../../target/debug/askgate', import.meta.url).pathname;

/** Texts that have broken encodings, maps and displays elsewhere. */
export const HOSTILE = [
  'a, b',
  '"quoted", "twice"',
  'it\'s \\ a \\" path',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '0',
  '10',
  '-1',
  'null',
  'declined',
  'question_0',
  '\u202Egnp.exe',
  'a\u200Bb\uFEFF',
  '\u{1F469}\u200D\u{1F4BB} \u{1F1E9}\u{1F1EA}',
  '\u{10FFFF}\uFFFD',
  'line\nbreak\r\n\ttab \u2028',
  '\u0000\u001B[31m\u007F',
  ' leading and trailing ',
];

/** A question of each kind. */
export const QUESTIONS = [
  {
    id: 'approach',
    header: 'Approach',
    question: 'Which approach should I use?',
    options: [{ label: 'Small change', description: 'One file' }, { label: 'Full refactor' }],
    recommended: 1,
  },
  { id: '10', question: 'Which labels?', options: HOSTILE.map((label) => ({ label })), multi: true },
  { id: '__proto__', question: 'Which name?', options: [] },
];

/** The content that answers them, its keys not in order, and what the tool then says. */
export const CONTENT = {
  question_2: ' in my own words ',
  question_1_custom: 'and, "this"',
  question_1: HOSTILE.toReversed(),
  question_0: 'Small change',
};

export const RESULTS = [
  { id: 'approach', selected: ['Small change'] },
  { id: '10', selected: HOSTILE, custom: 'and, "this"' },
  { id: '__proto__', selected: [], custom: ' in my own words ' },
];

/** A promise, and what settles it. */
export function deferred() {
  const it = {};
  it.promise = new Promise((resolve) => { it.resolve = resolve; });
  return it;
}

/** Whether a value holds the key `name`, at any depth. */
export function holds(value, name) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((inner) => holds(inner, name));
}

/** The binary's stdio as lines of JSON, without any library between. */
export class Lines {
  constructor(args, env = {}) {
    const stdio = ['pipe', 'pipe', 'pipe'];
    this.child = spawn(BINARY, args, { stdio, env: { ...process.env, ...env } });
    this.lines = createInterface({ input: this.child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  send(...messages) {
    for (const message of messages) this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async next() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the binary has ended');
    return JSON.parse(value);
  }

  /** Ends its stdin, and gives its exit code. */
  async end() {
    const exit = once(this.child, 'exit');
    this.child.stdin.end();
    return (await exit)[0];
  }
}

/**
 * Searches a text with the program of a compiled RE2 expression, in steps that are counted. The library searches in
 * linear time, but it does not say how much work a search is, and cannot end one.
 *
 * The automaton is deterministic and built while it is used: a state is a set of instructions, and a transition is
 * computed when a text first needs it. Most searches then take one look-up for each character.
 *
 * The count of a search does not depend on what earlier searches have built. So the same search has the same result in
 * every process: each transition counts as computed when the search uses it first.
 */
import type { RE2JS } from 're2js';

/** The instructions of re2js 2.10. They follow the package regexp/syntax of Go. */
const op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nop: 7, rune: 8, anyRuneNotNl: 11 };

/** The conditions of an instruction that consumes nothing. */
const at = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 };

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

export interface Search {
  /** Null: the search needed more steps than it had, and ended. */
  found: boolean | null;
  /** What the search costs alone. One step takes about ten nanoseconds. */
  steps: number;
  /** Those of them that an earlier search of the same series has taken already. */
  known: number;
}

/** A character before or after a position, for `^`, `$` and `\b`. */
const none = 0;
const newline = 1;
const word = 2;
const other = 3;

/** In place of a character after the last one. */
const end = -1;

const asciiCodes = 128;
/** The steps of what is computed, measured. */
const stepsOf = { transition: 40, comparedRune: 4, newState: 400, reached: 40, visited: 12 };
/** Characters that a step looks up in states that are known. */
const charactersInStep = 4;
/** The steps of an instruction at a position, in the search of the library for groups. */
const stepsOfThread = 2;

/** What the instructions of a state reach without a character. */
interface Closure {
  /** Instructions that consume a character. */
  runes: readonly Instruction[];
  /** Whether the expression matches here. */
  accepts: boolean;
  /** The instructions that were visited. */
  visited: number;
  /** The last search, and the last series, that used it. */
  search: number;
  series: number;
}

interface Transition {
  to: State;
  closure: Closure;
  steps: number;
  /** The last search, and the last series, that used it. */
  search: number;
  series: number;
}

interface State {
  /** Sorted instructions. What follows them without a character may depend on the next character. */
  readonly from: readonly number[];
  /** The kind of the character before. */
  readonly before: number;
  /** By the conditions that hold (`at`). */
  readonly closures: Map<number, Closure>;
  /** By class of an ASCII character; the last one is the end of the text. */
  readonly ascii: (Transition | undefined)[];
  readonly others: Map<number, Transition>;
}

export class Automaton {
  private readonly program: Program;
  private readonly comparesPlaces: boolean;
  /** The class of each ASCII code. The program does not distinguish the characters of a class. */
  private readonly classes = new Uint8Array(asciiCodes);
  private readonly endClass: number;
  private readonly states = new Map<string, State>();
  private readonly marks: Int32Array;
  private mark = 0;
  private searches = 0;
  private heldNumbers = 0;

  constructor(expression: RE2JS) {
    this.program = programOf(expression);
    const { inst } = this.program;
    this.comparesPlaces = inst.some((one) => one.op === op.emptyWidth);
    this.endClass = this.classifyAscii(inst.filter(isRune));
    this.marks = new Int32Array(inst.length);
  }

  /** About how many numbers it holds in memory. */
  get weight(): number {
    return this.heldNumbers;
  }

  /** Forgets what earlier searches have built. */
  clear(): void {
    this.states.clear();
    this.heldNumbers = 0;
  }

  /** Whether the expression matches anywhere in the text. `series`: of searches that take steps together. */
  find(text: string, limit: number, series = 0): Search {
    return this.search(text, limit, true, series);
  }

  /**
   * The same, where `steps` also bounds the work of finding the groups: it is the number of instructions that are
   * possible at each position, over the whole text.
   */
  measure(text: string, limit: number): Search {
    return this.search(text, limit, false, 0);
  }

  private search(text: string, limit: number, onlyFirst: boolean, series: number): Search {
    const search = ++this.searches;
    let state = this.stateOf([this.program.start], none);
    let built = 0;
    let known = 0;
    let found = false;
    for (let index = 0; ;) {
      const code = index < text.length ? text.codePointAt(index)! : end;
      const transition = this.transition(state, code);
      const { closure } = transition;
      if (transition.search !== search) {
        transition.search = search;
        built += transition.steps;
        if (series > 0 && transition.series === series) known += transition.steps;
        transition.series = series;
      }
      if (closure.search !== search) {
        closure.search = search;
        built += stepsOf.visited * closure.visited;
        if (series > 0 && closure.series === series) known += stepsOf.visited * closure.visited;
        closure.series = series;
      }
      if (!onlyFirst) built += stepsOfThread * (1 + closure.visited);
      const steps = built + Math.ceil(index / charactersInStep);
      if (steps > limit) return { found: null, steps, known };
      found ||= closure.accepts;
      if (code === end || (onlyFirst && found)) return { found, steps, known };
      state = transition.to;
      index += code > 0xffff ? 2 : 1;
    }
  }

  private transition(state: State, code: number): Transition {
    if (code >= asciiCodes) {
      let known = state.others.get(code);
      if (known === undefined) {
        known = this.follow(state, code);
        state.others.set(code, known);
        this.heldNumbers += 16;
      }
      return known;
    }
    return (state.ascii[code === end ? this.endClass : this.classes[code]!] ??= this.follow(state, code));
  }

  private follow(state: State, code: number): Transition {
    const after = code === end ? none : kindOf(code);
    const closure = this.closureOf(state, this.comparesPlaces ? placesBetween(state.before, after) : 0);
    // A match may begin after every character.
    const next = new Set([this.program.start]);
    if (code !== end) for (const rune of closure.runes) if (rune.matchRune(code)) next.add(rune.out);
    const to = this.stateOf([...next].sort(ascending), this.comparesPlaces ? after : none);
    const found = next.size === 1 ? 0 : stepsOf.newState + stepsOf.reached * next.size;
    const steps = stepsOf.transition + stepsOf.comparedRune * closure.runes.length + found;
    return { to, closure, steps, search: 0, series: 0 };
  }

  private closureOf(state: State, holding: number): Closure {
    let closure = state.closures.get(holding);
    if (closure === undefined) {
      closure = this.close(state.from, holding);
      state.closures.set(holding, closure);
      this.heldNumbers += 16 + closure.runes.length;
    }
    return closure;
  }

  private close(from: readonly number[], holding: number): Closure {
    const { inst } = this.program;
    const mark = ++this.mark;
    const open = [...from];
    const runes: Instruction[] = [];
    let accepts = false;
    let visited = 0;
    while (open.length > 0) {
      const pc = open.pop()!;
      if (this.marks[pc] === mark) continue;
      this.marks[pc] = mark;
      visited++;
      const one = inst[pc]!;
      if (isRune(one)) runes.push(one);
      else if (one.op === op.match) accepts = true;
      else if (one.op === op.alt || one.op === op.altMatch) open.push(one.arg, one.out);
      else if (one.op === op.capture || one.op === op.nop) open.push(one.out);
      else if (one.op === op.emptyWidth && (one.arg & ~holding) === 0) open.push(one.out);
    }
    return { runes, accepts, visited, search: 0, series: 0 };
  }

  private stateOf(from: readonly number[], before: number): State {
    const key = `${before} ${from.join(' ')}`;
    let state = this.states.get(key);
    if (state === undefined) {
      state = { from, before, closures: new Map(), ascii: [], others: new Map() };
      this.states.set(key, state);
      this.heldNumbers += 64 + 2 * from.length + this.endClass;
    }
    return state;
  }

  /** Returns the number of classes. */
  private classifyAscii(runes: readonly Instruction[]): number {
    const known = new Map<string, number>();
    for (let code = 0; code < asciiCodes; code++) {
      const signature = `${kindOf(code)} ${runes.map((rune) => (rune.matchRune(code) ? 1 : 0)).join('')}`;
      let number = known.get(signature);
      if (number === undefined) {
        number = known.size;
        known.set(signature, number);
      }
      this.classes[code] = number;
    }
    return known.size;
  }
}

const ascending = (a: number, b: number): number => a - b;

const isRune = (one: Instruction): boolean => one.op >= op.rune && one.op <= op.anyRuneNotNl;

/** As in RE2, the characters of words are those of ASCII. */
const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

const kindOf = (code: number): number => (code === 10 ? newline : isWord(code) ? word : other);

function placesBetween(before: number, after: number): number {
  let places = (before === word) === (after === word) ? at.noWordBoundary : at.wordBoundary;
  if (before === none) places |= at.beginText | at.beginLine;
  if (before === newline) places |= at.beginLine;
  if (after === none) places |= at.endText | at.endLine;
  if (after === newline) places |= at.endLine;
  return places;
}

/** The types of the library do not show the program. Throws when this release of it has other instructions. */
function programOf(expression: RE2JS): Program {
  const { prog } = expression.re2() as unknown as { prog?: Partial<Program> };
  if (!Array.isArray(prog?.inst) || typeof prog.start !== 'number') throw new TypeError('re2js has another program');
  if (prog.inst.some((one) => one.op < op.alt || one.op > op.anyRuneNotNl))
    throw new TypeError('re2js has an unknown instruction');
  return prog as Program;
}

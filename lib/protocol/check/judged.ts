import type { ArgumentCondition } from '@/lib/protocol/approval'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'

/** Result of one assertion; `sentence` says what happened. */
export type Judged = { passed: boolean; sentence: string }

/** Matchers of the engines, which this folder cannot import: those of rules, of patterns and of answer schemas. */
export type Matchers = {
  readCondition: (condition: ArgumentCondition, args: unknown) => { holds: boolean }
  linearPattern: (pattern: string) => { steps: number; matches: (text: string) => boolean }
  /** Returns what is wrong with an answer, a sentence each; empty: it fits. */
  checkOutput: (schema: JsonObject, text: string) => string[]
}

export function passed(sentence: string): Judged {
  return { passed: true, sentence }
}

export function failed(sentence: string): Judged {
  return { passed: false, sentence }
}

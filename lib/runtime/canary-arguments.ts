import type { Denial } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import { searchCanary } from './canary-search'
import { canarySpellings, type Spelling } from './canary-spellings'
import { type RunStep, startOf } from './run-step'

/** Stands where a model wrote the canary: in journal, page, exports and the next request (SPEC T7). */
export const redactionMark = '[redacted: canary]'

/** What is kept of arguments that carried the canary: JSON, so that every wire takes it. */
export const redactedArguments = JSON.stringify({ redacted: redactionMark })

export const canaryDenial: Denial = {
  allowed: false,
  gate: 'canary',
  reason:
    'Its arguments contained the canary that marks untrusted content, so a tool result may be steering the model. The arguments were not stored, and the call did not run.',
}

/** Whether a call that is about to begin carries its run's canary, whoever wrote its arguments. */
export function callCarriesCanary(step: RunStep, { argumentsText }: CallView): boolean {
  return argumentsCarryCanary(argumentsText, canarySpellings(startOf(step.base).canary))
}

/** Whether arguments carry the canary: anywhere in their text, or its parts in one value after the other. */
export function argumentsCarryCanary(text: string, spellings: readonly Spelling[]): boolean {
  if (text === redactedArguments) return true
  if (spellings.length === 0) return false
  const { names, values } = leavesOf(text)
  return [text, values.join(''), names.join('')].some(
    (each) => searchCanary(each, spellings, { whole: true }).found.length > 0,
  )
}

/** The names and plain values of JSON text in their order; none when it is no JSON. */
function leavesOf(text: string): { names: string[]; values: string[] } {
  const names: string[] = []
  const values: string[] = []
  const open = [parsed(text)]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value))
    if (typeof value !== 'object' || value === null) continue
    // One by one: a list may hold more items than a call takes arguments.
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.push(name)
    for (const inner of Object.values(value).reverse()) open.push(inner)
  }
  return { names, values }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

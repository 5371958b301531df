import { figureFault, readParameter } from '@/lib/protocol/parameters/parameters'
import { OverrideName, overrideWords } from '@/lib/protocol/run/override-names'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import {
  type OverrideField,
  overridableOf,
  overrideFields,
  type RunOverrides,
} from '@/lib/protocol/run/run-overrides'
import { inSentence } from '@/lib/words/format'

/**
 * Overrides of the configuration, as text of the fields; "": as the configuration says. `withoutSystemPrompt`: the run
 * has none, whatever the text of its field is.
 */
export type ChangesDraft = Record<OverrideField, string> & { withoutSystemPrompt: boolean }

export const noChanges: ChangesDraft = {
  model: '',
  systemPrompt: '',
  withoutSystemPrompt: false,
  temperature: '',
  reasoningEffort: '',
  maxOutputTokens: '',
}

/** Each text of a field that is wrong, with what to write instead. */
export type ChangeErrors = Partial<Record<OverrideField, string>>

const figures = ['temperature', 'maxOutputTokens'] as const

/** Returns what is wrong with the fields; undefined = nothing. */
export function changeErrors(changes: ChangesDraft | undefined): ChangeErrors | undefined {
  const faults = figures.flatMap((field) => {
    const fault = figureFault(field, changes?.[field] ?? '')
    return fault === null ? [] : [[field, fault]]
  })
  return faults.length > 0 ? Object.fromEntries(faults) : undefined
}

/** Returns the changes as `runPrompt` takes them; null = none. Its schema refuses values out of range. */
export function changesInput(changes: ChangesDraft = noChanges): RunOverrides | null {
  const { model, systemPrompt: typed, withoutSystemPrompt } = changes
  const systemPrompt = withoutSystemPrompt ? '' : typed.trim() === '' ? undefined : typed
  const parameters = (['temperature', 'reasoningEffort', 'maxOutputTokens'] as const).flatMap(
    (field) => (changes[field] === '' ? [] : [[field, readParameter(field, changes[field])]]),
  )
  const given: RunOverrides = {
    ...(model !== '' && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...Object.fromEntries(parameters),
  }
  return Object.keys(given).length > 0 ? given : null
}

/** Returns the changes that a run had, as the form has them. */
export function changesOf({
  snapshot,
  overridden = [],
}: RunEventOf<'run-start'>['data']): ChangesDraft {
  const has = overridableOf(snapshot)
  const texts = overridden.map((name) => {
    const field = overrideFields[name]
    return [field, has[field] === null ? 'default' : String(has[field])]
  })
  const withoutSystemPrompt = overridden.includes('system-prompt') && has.systemPrompt === ''
  return { ...noChanges, ...Object.fromEntries(texts), withoutSystemPrompt }
}

/** Returns whether one thing is changed. */
export function isChanged(changes: ChangesDraft, name: OverrideName): boolean {
  const isLeftOut = name === 'system-prompt' && changes.withoutSystemPrompt
  return isLeftOut || changes[overrideFields[name]].trim() !== ''
}

/** Returns what is changed in words: "model and temperature"; "" = nothing. */
export function changeWords(changes: ChangesDraft): string {
  const names = OverrideName.options.filter((name) => isChanged(changes, name))
  return new Intl.ListFormat('en').format(names.map((name) => inSentence(overrideWords[name])))
}

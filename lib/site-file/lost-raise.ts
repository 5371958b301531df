import { keptRaise } from '../protocol/kept-raise'
import type { TrustZone } from '../protocol/model-target'
import type { EntryChange, FieldChange, Site } from './handler'

/**
 * What another chain of models makes of a raised data class: where it is trusted less, the raise ends with it, unless the
 * file decides it anew (`keptRaise`).
 */
export function lostRaise(
  { before, given, changed }: EntryChange<'configurations'>,
  { file, state }: Site,
): FieldChange[] {
  if (!before || before.raisedDataClass === null || changed.has('raisedDataClass')) return []
  const zones = new Map<string, TrustZone>()
  for (const { name, trustZone } of [...state.connections.values(), ...file.connections]) {
    if (trustZone) zones.set(name, trustZone)
  }
  const zonesOf = ({ model, fallbacks }: Pick<typeof before, 'model' | 'fallbacks'>) =>
    [model, ...fallbacks].flatMap(({ connection }) => zones.get(connection) ?? [])
  const { model = before.model, fallbacks = before.fallbacks } = given
  const raised = before.raisedDataClass
  const kept = keptRaise(raised, { before: zonesOf(before), after: zonesOf({ model, fallbacks }) })
  if (kept === raised) return []
  return [
    {
      field: 'raisedDataClass',
      before: raised,
      after: given.raisedDataClass ?? null,
      note: given.raisedDataClass
        ? 'the new models are trusted less, and the file raises it for them'
        : 'the new models are trusted less, which ends it',
    },
  ]
}

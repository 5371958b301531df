import { entryKey } from './entry-key'
import type { Site } from './handler'

type ModelName = { connection: string; model: string }

/**
 * Configurations that begin to use a model which is off here and stays off, itself or its connection: no run would reach
 * it, and the console refuses that as well (`requireChain`). What this file adds or switches on is on when they are
 * written; what it switches off is so only afterwards.
 */
export function findClosedModels({ file, state }: Site): string[] {
  const connectionsOn = new Set(file.connections.filter(isOn).map(({ name }) => name))
  const modelsOn = new Set(file.models.filter(isOn).map((model) => entryKey('models', model)))
  const closedPart = (name: ModelName): string | null => {
    const { connection } = name
    if (state.connections.get(connection)?.enabled === false && !connectionsOn.has(connection)) {
      return `the connection ${connection}`
    }
    const key = entryKey('models', name)
    const isOff = state.models.get(key)?.enabled === false && !modelsOn.has(key)
    return isOff ? `the model ${key}` : null
  }
  return file.configurations.flatMap(({ identifier, model, fallbacks = [] }) => {
    const here = state.configurations.get(identifier)
    const known = new Set(here && [here.model, ...here.fallbacks].map(keyOf))
    return (model ? [model, ...fallbacks] : fallbacks).flatMap((name) => {
      const closed = known.has(keyOf(name)) ? null : closedPart(name)
      if (!closed) return []
      return [
        `The configuration ${identifier} needs ${closed}, which is switched off on this site. Switch it on first.`,
      ]
    })
  })
}

function isOn({ enabled }: { enabled?: boolean }): boolean {
  return enabled === true
}

function keyOf(name: ModelName): string {
  return entryKey('models', name)
}

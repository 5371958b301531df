import { isObject, type JsonObject, listAt } from './json-value'
import { openAiFetch } from './openai-client'
import { compatibleBaseUrl } from './openai-compatible'
import type { ProviderOptions } from './provider'
import { readJson } from './read-json'

/** What LM Studio writes into each entry of `/v1/models`, and nobody else does. */
const owner = 'organization_owner'

/**
 * A list of `/models` with what LM Studio says of the same models in a list of its own: window, kind, tools. The answer
 * itself when it is not LM Studio's, or when that list cannot be had.
 */
export async function withLmStudioFacts(
  answer: unknown,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isObject(answer) || !isOfLmStudio(answer)) return answer
  try {
    const known = byId(await askForFacts(options, signal))
    const data = entriesOf(answer).map((entry) => ({ ...entry, ...known.get(entry.id) }))
    return { ...answer, data }
  } catch (error) {
    if (signal.aborted) throw error
    return answer
  }
}

function isOfLmStudio(answer: JsonObject): boolean {
  return entriesOf(answer).some(({ owned_by }) => owned_by === owner)
}

async function askForFacts(options: ProviderOptions, signal: AbortSignal): Promise<unknown> {
  const root = compatibleBaseUrl(options).replace(/\/v1\/?$/, '')
  return readJson(await openAiFetch(options)(`${root}/api/v0/models`, { method: 'GET', signal }))
}

function byId(answer: unknown): Map<unknown, JsonObject> {
  const entries = isObject(answer) ? entriesOf(answer) : []
  return new Map(entries.map((entry) => [entry.id, entry]))
}

function entriesOf(answer: JsonObject): JsonObject[] {
  return listAt(answer, 'data').filter(isObject)
}

import { z } from 'zod'
import type { OpenConnection } from '@/lib/connections/load-connection-secret'
import { httpMeaning } from '@/lib/providers/http-meaning'

/** `models` null = it answers, but does not say which models it has. */
export type ProviderAnswer =
  | { type: 'models'; models: string[] | null }
  | { type: 'refused'; advice: string }
  | { type: 'silent' }

const timeoutMs = 10_000
const maxBodyCharacters = 4_000

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) })
const Tags = z.object({ models: z.array(z.object({ name: z.string() })) })

type Question = { url: string; headers: Record<string, string> }

/** Asks a provider for its list of models: the smallest request that needs a good address and a good key. */
export async function askProvider(connection: OpenConnection): Promise<ProviderAnswer> {
  const { url, headers } = questionFor(connection)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    // A redirect could carry the key elsewhere.
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const text = await response.text()
    if (response.ok) return { type: 'models', models: modelsIn(text) }
    const unlisted = connection.wire === 'openai-compatible' && [404, 405].includes(response.status)
    if (unlisted) return { type: 'models', models: null }
    return {
      type: 'refused',
      advice: httpMeaning(response.status, text.slice(0, maxBodyCharacters)).advice,
    }
  } catch {
    return { type: 'silent' }
  }
}

function questionFor({ wire, baseUrl, organisation, apiKey }: OpenConnection): Question {
  const bearer: Record<string, string> =
    apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
  switch (wire) {
    case 'openai':
    case 'openai-compatible': {
      const base = (baseUrl ?? 'https://api.openai.com/v1').replace(/\/chat\/completions$/, '')
      const billed: Record<string, string> = organisation
        ? { 'openai-organization': organisation }
        : {}
      return { url: `${base}/models`, headers: { ...bearer, ...billed } }
    }
    case 'anthropic': {
      // The version and the kind of authentication that the official client sends.
      const headers = { ...bearer, 'anthropic-version': '2026-10-21' }
      return { url: `${baseUrl ?? 'https://api.anthropic.com'}/v1/models?limit=1000`, headers }
    }
    case 'ollama':
      return { url: `${baseUrl ?? 'http://127.0.0.1:11434'}/api/tags`, headers: bearer }
    case 'demo':
      throw new Error('The demo is built in; there is nobody to ask.')
    default:
      return wire satisfies never
  }
}

function modelsIn(text: string): string[] | null {
  try {
    const json: unknown = JSON.parse(text)
    const listed = Listed.safeParse(json)
    if (listed.success) return listed.data.data.map(({ id }) => id)
    const tags = Tags.safeParse(json)
    return tags.success ? tags.data.models.map(({ name }) => name) : null
  } catch {
    return null
  }
}

import { z } from 'zod'
import type { KnownModel } from './known-models'

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1).max(200) })) })
const Facts = z.object({ capabilities: z.array(z.string()).default([]) })

const mostModels = 5
const free = { input: 0, output: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 }

/**
 * Returns the models of an Ollama server that answers within half a second, at most five, those known to call tools
 * first; none when there is no such server. They run on one's own hardware, so their price is 0.
 */
export async function findOllamaModels(baseUrl: string): Promise<KnownModel[]> {
  const tags = Tags.safeParse(await ask(`${baseUrl}/api/tags`))
  if (!tags.success) return []
  const names = tags.data.models.slice(0, mostModels).map(({ name }) => name)
  const models = await Promise.all(names.map((name) => describeModel(baseUrl, name)))
  const rank = (model: KnownModel) => (model.toolCalling === 'confirmed' ? 0 : 1)
  return models.toSorted((a, b) => rank(a) - rank(b))
}

async function describeModel(baseUrl: string, name: string): Promise<KnownModel> {
  const facts = Facts.safeParse(await ask(`${baseUrl}/api/show`, { model: name }))
  const callsTools = facts.success && facts.data.capabilities.includes('tools')
  return {
    modelId: name,
    displayName: name.slice(0, 100),
    toolCalling: callsTools ? 'confirmed' : 'unconfirmed',
    reported: callsTools ? ['toolCalling'] : [],
    prices: free,
  }
}

/** Returns the JSON answer, or null when there is none for any reason. */
async function ask(url: string, body?: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(500),
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

import { loadConnectionSecret, type OpenConnection } from '@/lib/connections/load-connection-secret'
import { db } from '@/lib/db'
import { askProvider } from './ask-provider'
import { type Finding, fail, ok, warn } from './finding'

type Stored = { id: string; name: string; models: { modelId: string }[] }

/** Asks every enabled provider for its models, all at once. */
export async function checkProviders(): Promise<Finding[]> {
  const connections = await db().connection.findMany({
    where: { enabled: true },
    select: { id: true, name: true, models: { select: { modelId: true } } },
    orderBy: { name: 'asc' },
  })
  if (connections.length === 0) {
    return [warn('Providers', 'none is stored', 'Run: toolgate connection add --help')]
  }
  return Promise.all(connections.map(checkProvider))
}

async function checkProvider(stored: Stored): Promise<Finding> {
  const check = `Provider ${stored.name}`
  const connection = await loadConnectionSecret(db(), stored.id).catch(() => null)
  if (!connection) {
    return fail(
      check,
      'its key cannot be opened',
      `Enter it again: toolgate key set --connection '${stored.name}' < file`,
    )
  }
  if (connection.wire === 'demo') return ok(check, 'built in, not a language model')
  const answer = await askProvider(connection)
  switch (answer.type) {
    case 'silent':
      return fail(check, 'does not answer', adviceForSilence(connection))
    case 'refused':
      return fail(check, 'refuses the request', answer.advice)
    case 'models':
      return checkModels(check, stored, answer.models)
    default:
      return answer satisfies never
  }
}

function adviceForSilence({ wire, baseUrl }: OpenConnection): string {
  if (wire === 'ollama') return 'Start it with: ollama serve, or correct the base URL.'
  return baseUrl === null
    ? 'Check the way to the internet.'
    : 'Start the server there, or correct the base URL.'
}

function checkModels(check: string, stored: Stored, offered: string[] | null): Finding {
  if (offered === null) return ok(check, 'answers; it does not list its models')
  const missing = stored.models
    .map(({ modelId }) => modelId)
    .filter((id) => !isOffered(id, offered))
  if (missing.length === 0) return ok(check, `answers and takes the key; ${offered.length} models`)
  return warn(
    check,
    `does not list ${missing.join(', ')}`,
    'Check the model ids, or pull the models.',
  )
}

/** Providers list dated ids for an alias, Ollama a tag for a bare name. */
function isOffered(id: string, offered: string[]): boolean {
  return offered.some((name) => name === id || name === `${id}:latest` || name.startsWith(`${id}-`))
}

import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { listProviderModels } from '@/lib/engines/providers/discovery/list-provider-models'
import type { Connection } from '@/lib/generated/prisma/client'
import { db } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { providerOptions } from '@/lib/runs/work/provider-options'
import { countOf } from '@/lib/words/format'
import { type Finding, fail, ok, warn } from './finding'

const timeoutMs = 10_000

type Stored = Connection & { models: { modelId: string }[] }

/** Asks every enabled provider for its models, all at once. */
export async function checkProviders(): Promise<Finding[]> {
  const connections = await db().connection.findMany({
    where: { enabled: true },
    include: { models: { where: { enabled: true }, select: { modelId: true } } },
    orderBy: { name: 'asc' },
  })
  if (connections.length === 0) {
    const advice = `Add one: ${page('new')}, or toolgate connection add --help`
    return [warn('Providers', 'no connection yet', advice)]
  }
  return Promise.all(connections.map(checkProvider))
}

async function checkProvider(stored: Stored): Promise<Finding> {
  const check = `Provider ${stored.name}`
  const connection = await openConnection(db(), stored).catch(() => null)
  if (!connection) {
    return fail(
      check,
      'its key or headers cannot be decrypted',
      `Enter them again: ${page(stored.id)}, or toolgate key set --connection '${stored.name}' < file`,
    )
  }
  if (connection.wire === 'demo') return ok(check, 'built in, not a language model')
  try {
    return checkModels(check, stored, await modelsOf(connection, stored.name))
  } catch (error) {
    const { code, message } = error instanceof AppError ? error : { code: '', message: '' }
    // Some compatible servers answer questions and list nothing.
    const unlisted = connection.wire === 'openai-compatible' && code === 'provider-not-found'
    if (unlisted) return ok(check, 'answers, but does not list its models')
    return fail(check, 'does not answer as expected', `${message} ${page(stored.id)}`.trim())
  }
}

async function modelsOf(connection: OpenConnection, name: string): Promise<string[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const models = await listProviderModels(
    connection.wire,
    providerOptions(connection, name),
    signal,
  )
  return models.map(({ modelId }) => modelId)
}

function page(rest: string): string {
  return `${env().TOOLGATE_URL.replace(/\/$/, '')}/connections/${rest}`
}

function checkModels(check: string, stored: Stored, offered: string[]): Finding {
  const missing = stored.models
    .map(({ modelId }) => modelId)
    .filter((id) => !isOffered(id, offered))
  // Azure lists models, but requests name deployments, which have names of their own.
  if (missing.length === 0 || stored.wire === 'azure_openai')
    return ok(check, `answers and accepts the key; ${countOf(offered.length, 'model')}`)
  return warn(
    check,
    `does not list the models ${missing.join(', ')}`,
    `Check the model ids, or pull the models: ${page(stored.id)}`,
  )
}

/** Returns whether a model is offered. Providers list dated ids for an alias, Ollama a tag for a bare name. */
function isOffered(id: string, offered: string[]): boolean {
  return offered.some((name) => name === id || name === `${id}:latest` || name.startsWith(`${id}-`))
}

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { migrate } from '@/lib/installation/migrate'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { closeDb } from '@/lib/kernel/db'
import { mostRounds } from '@/lib/protocol/parameters/configuration-form'
import { addPerson } from '@/tests/support/people'
import { toolsFolder } from './page-tool'

/** The benchmark's own installation: its admin, the configuration of its runs, and its environment for a server. */
export type ScratchSite = {
  admin: Ctx
  apiKey: string
  env: Record<string, string>
  close: () => Promise<void>
}

export const configuration = 'benchmark'

/**
 * Opens a PostgreSQL with its default durability, in a folder that `close` removes, with one configuration whose model
 * is served at `modelUrl`, and with these settings of PostgreSQL. Sets the environment of this process to it.
 */
export async function openScratchSite(
  modelUrl: string,
  settings: Record<string, string> = {},
): Promise<ScratchSite> {
  await mkdir('.data', { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(path.resolve('.data/bench-'))
  const server = await startWith(folder, settings)
  const close = async () => {
    await closeDb()
    await server.release()
    await removeFolder(folder)
  }
  try {
    await createDatabase(server.urlOf('postgres'))
    const env = {
      DATABASE_URL: server.urlOf('bench'),
      NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
      TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
      TOOLGATE_DATA_DIR: folder,
      TOOLGATE_EXTRA_TOOLS_DIR: toolsFolder,
      LOG_LEVEL: 'error',
    }
    Object.assign(process.env, env)
    await migrate(env.DATABASE_URL)
    const admin = await addPerson('admin')
    await addConfiguration(admin, modelUrl)
    const scopes = ['runs:read', 'runs:write'] as const
    const { token } = await createApiKey(admin, { name: 'Benchmark', scopes: [...scopes] })
    return { admin, apiKey: token, env, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts PostgreSQL with these settings, some of which count from its next start. */
async function startWith(folder: string, settings: Record<string, string>) {
  const server = await startEmbeddedPostgres(folder)
  if (Object.keys(settings).length === 0) return server
  const client = new pg.Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`ALTER SYSTEM SET ${name} = ${pg.escapeLiteral(value)}`)
  }
  await client.end()
  await server.release()
  return startEmbeddedPostgres(folder)
}

async function createDatabase(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query('CREATE DATABASE bench')
  await client.end()
}

async function addConfiguration(admin: Ctx, modelUrl: string): Promise<void> {
  const connection = await createConnection(admin, {
    name: 'Model server',
    wire: 'openai-compatible',
    baseUrl: `${modelUrl}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: 'sk-none',
  })
  const model = await createModel(admin, {
    connectionId: connection.id,
    modelId: 'test-model',
    displayName: 'Test model',
    // The context must be large enough that nothing is left out of a long conversation.
    contextTokens: 10_000_000,
    maxOutputTokens: 4_000,
    toolCalling: 'confirmed',
  })
  await updateSettings(admin, { maxRounds: mostRounds })
  await createConfiguration(admin, {
    identifier: configuration,
    name: 'Benchmark',
    modelId: model.id,
    maxRounds: mostRounds,
    systemPrompt: 'Be brief.',
  })
}

/** Removes the folder. When started as root, the database may be elsewhere; a file in the folder names the place. */
async function removeFolder(folder: string): Promise<void> {
  const note = path.join(folder, 'postgres-home')
  if (existsSync(note)) {
    await rm((await readFile(note, 'utf8')).trim(), { recursive: true, force: true })
  }
  await rm(folder, { recursive: true, force: true })
}

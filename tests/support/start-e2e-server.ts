import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createSetupToken } from '@/lib/domains/users/setup'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import { migrate } from '@/lib/installation/migrate'
import { closeDb, db } from '@/lib/kernel/db'
import { seed } from '@/prisma/seed'
import { type Site, siteFile } from '../e2e/support/site'
import { addE2eContent } from './e2e-content'
import { turnOfPrompt } from './model-server/prompt-directives'
import { startModelServer } from './model-server/start-model-server'
import { startStandaloneServer } from './standalone-server'
import { openTestPostgres, type TestPostgres } from './test-postgres'

/** Copies of the site's database with everything in it, for tests with a server of their own. */
const copies = ['spare', 'waiting', 'frozen', 'wide'] as const

/**
 * Runs the site of the end-to-end tests until a signal stops it: the built server on E2E_PORT with its own database, a
 * model server, and copies of the database for tests that need their own server.
 */
async function main(): Promise<void> {
  const port = Number(process.env.E2E_PORT)
  const folder = path.resolve('.data/e2e')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const postgres = await openTestPostgres()
  const model = await startModelServer({ script: turnOfPrompt })
  const appendFile = path.join(folder, 'lines.txt')
  const name = `toolgate_test_${process.pid}_e2e`
  const env = siteEnv(folder, appendFile, postgres.urlOf(name))
  Object.assign(process.env, env)
  const { token, keys } = await prepareDatabases(postgres, name, model.url)
  const site: Site = {
    port,
    modelUrl: model.url,
    appendFile,
    env,
    fresh: { databaseUrl: postgres.urlOf(`${name}_fresh`), token },
    spare: { databaseUrl: postgres.urlOf(`${name}_spare`) },
    waiting: { databaseUrl: postgres.urlOf(`${name}_waiting`) },
    frozen: { databaseUrl: postgres.urlOf(`${name}_frozen`) },
    wide: { databaseUrl: postgres.urlOf(`${name}_wide`) },
    keys,
  }
  await mkdir(path.dirname(siteFile), { recursive: true })
  await writeFile(siteFile, JSON.stringify(site, null, 2), { mode: 0o600 })
  const server = await startStandaloneServer(port, env)
  const stop = async () => {
    await server.stop()
    await model.close()
    const others = ['fresh', ...copies].map((copy) => `${name}_${copy}`)
    for (const database of [name, ...others]) {
      await postgres.ask(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    }
    await postgres.release()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

function siteEnv(folder: string, appendFile: string, databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
    TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
    TOOLGATE_DATA_DIR: folder,
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: appendFile,
    // Lets a test come from an address of its own: failed sign-ins count per address.
    TOOLGATE_TRUSTED_PROXIES: '1',
  }
}

/** Prepares the site's database, a copy without an admin, and one with all content. */
async function prepareDatabases(postgres: TestPostgres, name: string, modelUrl: string) {
  await postgres.ask(`CREATE DATABASE ${name}`)
  await migrate(postgres.urlOf(name))
  await checkVaultKey(db())
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:9' })
  const token = await createSetupToken()
  if (token === null) throw new Error('There is an admin already.')
  await closeDb()
  await postgres.ask(`CREATE DATABASE ${name}_fresh TEMPLATE ${name}`)
  const keys = await addE2eContent(modelUrl)
  await closeDb()
  for (const copy of copies) {
    await postgres.ask(`CREATE DATABASE ${name}_${copy} TEMPLATE ${name}`)
  }
  return { token, keys }
}

await main()

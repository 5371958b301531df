import { randomBytes } from 'node:crypto'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { encode } from 'next-auth/jwt'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { signIn } from '@/lib/auth/sign-in'
import { createSetupToken } from '@/lib/domains/users/setup'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import { migrate } from '@/lib/installation/migrate'
import { closeDb, db, unaudited } from '@/lib/kernel/db'
import { seed } from '@/prisma/seed'
import { accounts, type Site, siteFile, stateFile } from '@/tests/e2e/support/site'
import { addE2eContent } from './e2e-content'
import { turnOfPrompt } from './model-server/prompt-directives'
import { startModelServer } from './model-server/start-model-server'
import { startStandaloneServer } from './standalone-server'
import { openTestPostgres, type TestPostgres } from './test-postgres'

/** The server starts with it, and says why it does not run. */
const brokenTool = "export default { name: 'broken_tool', execute: ("

/**
 * Runs the site of the end-to-end tests until a signal stops it: the built server on E2E_PORT with its own database, a
 * model server, and more databases for tests that need their own server. Prints READY once it can take work.
 */
async function main(): Promise<void> {
  const port = Number(process.env.E2E_PORT)
  const folder = path.resolve('.data/e2e')
  await rm(folder, { recursive: true, force: true })
  for (const made of [folder, path.dirname(siteFile)]) await mkdir(made, { recursive: true })
  for (const tools of ['extra-tools', 'wide-tools']) {
    await cp(path.join('tests/support', tools), path.join(folder, 'tools'), { recursive: true })
  }
  await writeFile(path.join(folder, 'tools', 'broken.mjs'), brokenTool)
  const postgres = await openTestPostgres()
  const model = await startModelServer({ script: turnOfPrompt })
  const name = `toolgate_test_${process.pid}_e2e`
  const env = siteEnv(folder, postgres.urlOf(name))
  Object.assign(process.env, env)
  const { token, ...content } = await prepareDatabases(postgres, name, model.url)
  const site: Site = {
    port,
    modelUrl: model.url,
    env,
    fresh: {
      databaseUrls: [postgres.urlOf(`${name}_fresh`), postgres.urlOf(`${name}_again`)],
      token,
    },
    spare: { databaseUrl: postgres.urlOf(`${name}_spare`) },
    first: { databaseUrl: postgres.urlOf(`${name}_first`) },
    ...content,
  }
  await writeFile(siteFile, JSON.stringify(site, null, 2), { mode: 0o600 })
  const server = await startStandaloneServer(port, env)
  console.log('READY')
  const stop = async () => {
    await server.stop()
    await model.close()
    for (const copy of ['', '_fresh', '_again', '_spare', '_first']) {
      await postgres.ask(`DROP DATABASE IF EXISTS ${name}${copy} WITH (FORCE)`)
    }
    await postgres.release()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

function siteEnv(folder: string, databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
    TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
    TOOLGATE_DATA_DIR: folder,
    TOOLGATE_EXTRA_TOOLS_DIR: path.join(folder, 'tools'),
    TOOLGATE_TEST_APPEND_FILE: path.join(folder, 'lines.txt'),
    // Lets a test come from an address of its own: failed sign-ins count per address.
    TOOLGATE_TRUSTED_PROXIES: '1',
  }
}

/** Prepares the site's database, copies without an admin, and one with all content. */
async function prepareDatabases(postgres: TestPostgres, name: string, modelUrl: string) {
  await postgres.ask(`CREATE DATABASE ${name}`)
  await migrate(postgres.urlOf(name))
  await checkVaultKey(db())
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:9' })
  const token = await createSetupToken()
  if (token === null) throw new Error('There is an admin already.')
  await closeDb()
  for (const copy of ['_fresh', '_again']) {
    await postgres.ask(`CREATE DATABASE ${name}${copy} TEMPLATE ${name}`)
  }
  const content = await addE2eContent(modelUrl)
  await Promise.all([keepSession('admin'), keepSession('member')])
  await closeDb()
  for (const copy of ['_spare', '_first']) {
    await postgres.ask(`CREATE DATABASE ${name}${copy} TEMPLATE ${name}`)
  }
  return { token, ...content }
}

/** Signs a person in and writes the cookie as a browser stores it. The session is in every copy of the database. */
async function keepSession(who: 'admin' | 'member'): Promise<void> {
  const nowhere = { ipAddress: null, userAgent: null, countedAddress: null }
  const { sessionId } = await signIn(accounts[who], { ...nowhere, browserCookie: undefined })
  // Tests of a proof that is too old age sessions of their own; the others may take longer than one lasts.
  const authenticatedAt = new Date(Date.now() + 86_400_000)
  await unaudited(db(), 'a test').session.update({
    where: { id: sessionId },
    data: { authenticatedAt },
  })
  const secret = String(process.env.NEXTAUTH_SECRET)
  const cookie = {
    name: sessionCookieName(),
    value: await encode({ token: { sid: sessionId }, secret }),
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax',
  }
  await writeFile(stateFile(who), JSON.stringify({ cookies: [cookie], origins: [] }), {
    mode: 0o600,
  })
}

await main()

import { readForwardedSeen } from '@/lib/auth/note-forwarded'
import { checkBudgets, equalWords } from '@/lib/domains/budgets/check-budgets'
import { listConnections } from '@/lib/domains/connections/reads'
import { listModels } from '@/lib/domains/models/reads'
import { stalePriceWords } from '@/lib/domains/models/shared/stale-price'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import { keyFileWaits } from '@/lib/domains/vault/key-file'
import { readVaultState } from '@/lib/domains/vault/rotation'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { countOf } from '@/lib/words/format'
import { zoneMismatch } from '../commands/connection-words'
import { shellWord } from '../fix-command'
import { checkAddress } from './check-address'
import { checkApiKeys } from './check-api-keys'
import { checkBackup } from './check-backup'
import { checkKeys } from './check-keys'
import { checkProviders } from './check-providers'
import { checkPrograms, checkServers, checkTools, checkWorkspaces } from './check-tools'
import { type Finding, fail, ok, warn } from './finding'

/** Checks what the database holds and what depends on it. Needs an open installation with every migration. */
export async function* examineContents(address: string): AsyncGenerator<Finding> {
  yield await checkVault()
  yield await checkBackup()
  yield await checkAccounts()
  yield await checkEngine()
  yield await checkAddress(address)
  yield await checkProxies()
  yield await checkLedger()
  yield* await checkTools()
  yield* await checkServers()
  yield* await checkWorkspaces()
  yield* await checkPrograms()
  yield* await checkApiKeys()
  yield* await checkTrustZones()
  yield* await checkPrices()
  yield* await checkProviders()
  yield* await checkKeys()
}

/** Checks the vault key, read-only. The first start, not the doctor, stores the value that a key is compared with. */
async function checkVault(): Promise<Finding> {
  const { canary, rotation } = await readVaultState(db())
  if (canary === null) {
    return warn('Vault', 'no secrets yet', 'Start the server once: npm start')
  }
  try {
    await checkVaultKey(db())
  } catch (error) {
    const detail = error instanceof AppError ? error.message : String(error)
    return fail(
      'Vault',
      detail.replace(/\.$/, ''),
      'The original key may be in a backup of the data folder; docs/vault.md says more.',
    )
  }
  if (rotation || (await keyFileWaits())) {
    return warn('Vault', 'a key rotation is not finished', 'Continue it: toolgate vault rotate')
  }
  return ok('Vault', `the key is right; ${await db().vaultSecret.count()} secrets stored`)
}

/** Checks whether there is an admin who can sign in. */
async function checkAccounts(): Promise<Finding> {
  const where = { role: 'admin' as const, disabledAt: null, deletedAt: null }
  const admins = await db().user.count({ where })
  if (admins > 0) return ok('Accounts', `${admins} active ${admins === 1 ? 'admin' : 'admins'}`)
  return fail(
    'Accounts',
    'no admin can sign in',
    'Run: toolgate user add --role admin --email … --name …',
  )
}

type Counts = { servers: number; others: number; waiting: number }

/** Checks which processes work on runs, and whether runs wait for one. */
async function checkEngine(): Promise<Finding> {
  const [row] = await db().$queryRaw<Counts[]>`
    WITH alive AS (
      SELECT id, kind FROM instances WHERE "heartbeatAt" > now() AT TIME ZONE 'UTC' - interval '6 seconds')
    SELECT
      (SELECT count(*)::int FROM alive WHERE kind = 'server') AS servers,
      (SELECT count(*)::int FROM alive WHERE kind <> 'server') AS others,
      (SELECT count(*)::int FROM runs WHERE status <> 'ended'
        AND ("instanceId" IS NULL OR "instanceId" NOT IN (SELECT id FROM alive))) AS waiting`
  const { servers, others, waiting } = row ?? { servers: 0, others: 0, waiting: 0 }
  const detail = `${countOf(servers, 'server')} and ${countOf(others, 'command line')} running`
  if (waiting > 0) {
    return warn(
      'Engine',
      `${detail}; ${countOf(waiting, 'run waits', 'runs wait')} for a server`,
      'Start the server: npm start',
    )
  }
  if (servers === 0) return warn('Engine', 'no server is running', 'Start the server: npm start')
  return ok('Engine', detail)
}

const recentMs = 7 * 86_400_000
const proxyAdvice =
  'Set TOOLGATE_TRUSTED_PROXIES to the number of proxies in front of Toolgate, or remove the header X-Forwarded-For from requests.'

/** Checks whether people's addresses are known, on which the limits of failed sign-ins and the audit depend. */
export async function checkProxies(now = new Date()): Promise<Finding> {
  const trusted = env().TOOLGATE_TRUSTED_PROXIES
  if (trusted > 0) return ok('Proxies', `${countOf(trusted, 'proxy is', 'proxies are')} trusted`)
  const seen = await readForwardedSeen()
  if (seen && now.getTime() - seen.getTime() < recentMs) {
    const detail = `requests have the header X-Forwarded-For (last ${seen.toISOString()}), but no proxy is trusted`
    return warn('Proxies', `${detail}, so everybody seems to come from one address`, proxyAdvice)
  }
  if (env().TOOLGATE_URL.startsWith('https://')) {
    return warn(
      'Proxies',
      'TOOLGATE_URL is https, so a proxy is in front of Toolgate, but no proxy is trusted',
      'Set TOOLGATE_TRUSTED_PROXIES to the number of proxies in front of Toolgate.',
    )
  }
  return ok('Proxies', 'no proxy is trusted, and no request came through one')
}

/** Checks whether the counters of budgets are the sums of their ledger. */
async function checkLedger(): Promise<Finding> {
  const { windows, differences } = await checkBudgets(systemCtx())
  if (differences.length === 0) {
    return ok('Budgets', equalWords(windows))
  }
  const titles = [...new Set(differences.map(({ title }) => title))].join('; ')
  return fail(
    'Budgets',
    `counters differ from the sum of their requests: ${titles}`,
    'Correct them: toolgate budget check --repair',
  )
}

/** Finds connections whose address contradicts their trust zone today, and which nobody confirmed (SPEC A8). */
export async function checkTrustZones(): Promise<Finding[]> {
  const connections = await listConnections(systemCtx(), {})
  const findings = connections.flatMap((connection) => {
    const wrong = zoneMismatch(connection)
    if (!wrong) return []
    const { name } = connection
    return warn(
      'Trust zones',
      `${name} is trusted as ${wrong.trustedAs}, and ${wrong.host} is a public address now, so its requests are refused`,
      `Correct its DNS entry, pick an external trust zone, or confirm this one: toolgate connection edit ${shellWord(name)} ${wrong.options}`,
    )
  })
  return findings.length > 0
    ? findings
    : [ok('Trust zones', 'every address matches its trust zone')]
}

/** Checks for models with outdated or differing prices. */
async function checkPrices(): Promise<Finding[]> {
  const models = await listModels(systemCtx(), {})
  const findings = models.flatMap(({ modelId, connectionName, stalePrice }) => {
    if (!stalePrice) return []
    const model = `${shellWord(modelId)} --connection ${shellWord(connectionName)}`
    const advice = stalePrice.fromCatalogue
      ? `Use its price from now on: toolgate model price ${model} --from-catalogue`
      : `Compare it with the provider's price list, and store it again: toolgate model price ${model} --input USD --output USD --source TEXT`
    return [
      warn('Prices', `${modelId} at ${connectionName}: ${stalePriceWords(stalePrice)}`, advice),
    ]
  })
  return findings.length > 0 ? findings : [ok('Prices', 'no price is out of date')]
}

import { explainError } from '../explain-error'
import { checkNode } from './check-node'
import { type Finding, fail } from './finding'

/** Every check in turn, from the ground up: what stands on something broken is not looked at. */
export async function* examine(): AsyncGenerator<Finding> {
  yield checkNode()
  const { logToStandardError } = await import('@/lib/log')
  logToStandardError()
  try {
    const { openInstallation } = await import('@/lib/installation/prepare-installation')
    const installation = await openInstallation()
    try {
      yield* examineInstallation()
    } finally {
      const { closeDb } = await import('@/lib/db')
      await closeDb()
      await installation.stop()
    }
  } catch (error) {
    const { sentence } = await explainError(error)
    yield fail('Installation', sentence.replace(/\.$/, ''), 'Fix this and run the doctor again.')
  }
}

async function* examineInstallation(): AsyncGenerator<Finding> {
  const { env } = await import('@/lib/env')
  const { checkDataFolder } = await import('./check-data-folder')
  const { checkMigrations, checkServer } = await import('./check-database')
  yield* await checkDataFolder(env().TOOLGATE_DATA_DIR)
  yield await checkServer()
  const migrations = await checkMigrations()
  yield migrations
  if (migrations.status === 'ok') yield* examineContents(env().TOOLGATE_URL)
}

async function* examineContents(address: string): AsyncGenerator<Finding> {
  const { checkVault } = await import('./check-vault')
  const { checkAccounts } = await import('./check-accounts')
  const { checkEngine } = await import('./check-engine')
  const { checkAddress } = await import('./check-address')
  const { checkProxies } = await import('./check-proxies')
  const { checkLedger } = await import('./check-ledger')
  const { checkProviders } = await import('./check-providers')
  const { checkKeys } = await import('./check-keys')
  const { checkPrices } = await import('./check-prices')
  const { checkTrustZones } = await import('./check-trust-zones')
  yield await checkVault()
  yield await checkAccounts()
  yield await checkEngine()
  yield await checkAddress(address)
  yield await checkProxies()
  yield await checkLedger()
  yield* await checkTrustZones()
  yield* await checkPrices()
  yield* await checkProviders()
  yield* await checkKeys()
}

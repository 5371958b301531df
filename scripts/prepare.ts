import { once } from 'node:events'
import { createSetupToken } from '@/lib/domains/users/setup'
import { checkVaultKey, guardVaultKey } from '@/lib/domains/vault/check-vault-key'
import { heapLimitMb } from '@/lib/installation/heap-limit'
import { explainFailure } from '@/lib/installation/installation-error'
import { prepareInstallation, recordAddress } from '@/lib/installation/prepare-installation'
import { closeDb, db } from '@/lib/kernel/db'
import { readEnv } from '@/lib/kernel/env'
import { seed } from '@/prisma/seed'
import type { Prepared } from './serve'
import { runSteps, step } from './steps/step.mjs'

/** Prepares the installation for `scripts/serve.ts`, which would keep the memory that this takes. */
async function prepare(): Promise<void> {
  const endWithParent = () => process.exit(1)
  process.once('disconnect', endWithParent)
  const installation = await prepareInstallation(guardVaultKey, step)
  try {
    await recordAddress()
    const setupToken = await step('Seed', prepareContent)
    const { env, ownsDatabase } = installation
    const heapMb = heapLimitMb(readEnv().TOOLGATE_MEMORY_MB)
    const prepared: Prepared = { env, ownsDatabase, setupToken, heapMb }
    process.off('disconnect', endWithParent)
    process.send?.(prepared)
    // The parent disconnects when it uses the database itself, so that no moment is without a user.
    if (process.connected) await once(process, 'disconnect')
  } finally {
    await installation.stop()
  }
}

/** Prepares the content and returns the one-time token for the first admin's set-up page; null when there is an admin. */
async function prepareContent(): Promise<string | null> {
  try {
    await checkVaultKey(db())
    await seed()
    return await createSetupToken()
  } finally {
    await closeDb()
  }
}

// A terminal sends Ctrl+C to this process, too. The preparation is finished, and the parent then serves nothing.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
await runSteps(prepare, explainFailure)
process.exit()

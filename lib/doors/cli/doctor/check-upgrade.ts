import type { UpgradePlan } from '@/lib/installation/upgrade-plan'
import { countOf, formatBytes, formatCount } from '@/lib/words/format'
import { exitCodes } from '../exit-codes'
import { printJson, printLine } from '../print'

/** Prints what the next start does to the database, and gives 1 when this version cannot use it. Changes nothing. */
export async function checkUpgrade({ json }: { json?: boolean }): Promise<number> {
  const { logToStandardError } = await import('@/lib/kernel/log')
  logToStandardError()
  const { openInstallation } = await import('@/lib/installation/prepare-installation')
  const { planUpgrade } = await import('@/lib/installation/upgrade-plan')
  const installation = await openInstallation()
  try {
    const plan = await planUpgrade(String(installation.env.DATABASE_URL))
    if (json) printJson(plan)
    else printPlan(plan)
    return exitCodes.ok
  } finally {
    await installation.stop()
  }
}

function printPlan({ pending, tables, diskBytes, lastBackup }: UpgradePlan): void {
  printLine(
    lastBackup === null
      ? 'There is no backup.'
      : `The last backup is of ${lastBackup.slice(0, 16).replace('T', ' ')} UTC.`,
  )
  if (pending.length === 0) {
    printLine('The database is up to date. Nothing is migrated.')
    return
  }
  printLine(`${countOf(pending.length, 'migration')} will be applied at the next start:`)
  for (const name of pending) printLine(`  ${name}`)
  for (const { name, rows, diskBytes: bytes } of tables) {
    const disk = bytes > 0 ? `, at most ${formatBytes(bytes)} more on the disk` : ''
    printLine(`Table ${name}: about ${formatCount(rows)} rows${disk}`)
  }
  printLine(
    `They need at most ${formatBytes(diskBytes)} more on the disk of the database. Stop every server and back up first.`,
  )
}

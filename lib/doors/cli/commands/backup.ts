import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import type { BackupContents } from '@/lib/installation/backup/backup-file'
import { countOf, formatBytes } from '@/lib/words/format'
import { printJson, printLine } from '../print'
import { terminal } from '../terminal'

type BackupOptions = { withKey?: boolean; passphraseFile?: string; force?: boolean; json?: boolean }
type RestoreOptions = {
  verify?: boolean
  withoutKey?: boolean
  passphraseFile?: string
  json?: boolean
}

const backupHelp = `
Servers may keep running: the backup is the database as it is at one moment. Without --with-key, keep the vault key in another
place: nobody can read the stored secrets of a backup without it (docs/backup.md).`

/** Adds the commands that keep an installation and bring it back. They open the database as it is, without migrating it. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write everything that this installation stores into one file')
    .argument('<file>', 'the new file')
    .option(
      '--with-key',
      'put the vault key into it, encrypted with a passphrase that is asked for',
    )
    .option('--passphrase-file <file>', 'read the passphrase from this file; implies --with-key')
    .option('--force', 'replace an existing file')
    .option('--json', 'write JSON to standard output')
    .addHelpText('after', backupHelp)
    .action(backUp)
  program
    .command('restore')
    .description('bring a backup back into an empty installation, which is frozen then')
    .argument('<file>', 'the backup')
    .option('--verify', 'only check that it is whole, and say what is in it')
    .option('--passphrase-file <file>', 'read the passphrase of the vault key from this file')
    .option('--without-key', 'leave the vault key in the backup; you put the key in place yourself')
    .option('--json', 'write JSON to standard output')
    .action(restore)
}

async function backUp(file: string, options: BackupOptions): Promise<void> {
  const { readPassphrase } = await import('@/lib/doors/cli/input/read-passphrase')
  const { withKey, passphraseFile, force = false, json } = options
  const hasKey = withKey || passphraseFile !== undefined
  const passphrase = hasKey ? await readPassphrase(passphraseFile, true) : null
  await withOpenInstallation(async (databaseUrl) => {
    const { backUp: write } = await import('@/lib/installation/backup/back-up')
    const { keyOfDatabase } = await import('@/lib/domains/vault/key-of-database')
    const report = await write({
      databaseUrl,
      file: path.resolve(file),
      isReplaced: force,
      author: await operator(),
      key: passphrase === null ? null : { passphrase, read: keyOfDatabase },
    })
    if (json) return printJson(report)
    const { rows, tables, bytes } = report
    printLine(
      `${report.file}: ${countOf(rows, 'row', 'rows')} of ${countOf(tables, 'table', 'tables')}, ${formatBytes(bytes)}.`,
    )
    printLine(hasKey ? keyIsIn : keyIsOut)
  })
}

const keyIsIn = 'The vault key is in it, encrypted with the passphrase.'
const keyIsOut =
  'The vault key is not in it. Keep that in another place: without it, nobody can read the stored secrets.'

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { openBackup, examineBackup } = await import('@/lib/installation/backup/backup-file')
  const backup = await openBackup(path.resolve(file))
  try {
    const contents = await examineBackup(backup)
    if (options.verify) await printContents(contents, options)
    else await restoreExamined(backup, contents, options)
  } finally {
    await backup.close()
  }
}

async function printContents(contents: BackupContents, { json }: RestoreOptions): Promise<void> {
  const { header, tables, bytes } = contents
  const { readMigrations } = await import('@/lib/installation/migrate')
  const { verifyFit } = await import('@/lib/installation/backup/restore')
  const pending = verifyFit(await readMigrations(), contents)
  if (json) {
    const { product, at, migrations, key } = header
    const names = migrations.map(({ name }) => name)
    const more = {
      hasKey: key !== null,
      tables: rowsOf(tables),
      bytes,
      pending: pending.map(({ name }) => name),
    }
    return printJson({ product, at, migrations: names, ...more })
  }
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  printLine(
    `Backup of ${dateOf(header.at)}, of Toolgate ${header.product}: whole, ${countOf(rows, 'row', 'rows')} of ${countOf(tables.length, 'table', 'tables')}, ${formatBytes(bytes)}.`,
  )
  printLine(header.key ? keyIsIn : keyIsOut)
  printLine(
    pending.length === 0
      ? 'It fits this version of Toolgate.'
      : `This version migrates it: ${countOf(pending.length, 'migration is', 'migrations are')} pending.`,
  )
}

/** Returns the tables as JSON shows them. */
function rowsOf(tables: BackupContents['tables']): { table: string; rows: number }[] {
  return tables.map(({ table, rows }) => ({ table, rows }))
}

async function restoreExamined(
  backup: FileHandle,
  contents: BackupContents,
  { passphraseFile, withoutKey, json }: RestoreOptions,
): Promise<void> {
  const { header, tables } = contents
  const { BackupError } = await import('@/lib/installation/backup/backup-file')
  const { pendingFor, restore: copyIn } = await import('@/lib/installation/backup/restore')
  const { readMigrations } = await import('@/lib/installation/migrate')
  pendingFor(await readMigrations(), header)
  let key: Buffer | null = null
  if (header.key && !withoutKey) {
    const { readPassphrase } = await import('@/lib/doors/cli/input/read-passphrase')
    const { unsealKey } = await import('@/lib/installation/backup/sealed-key')
    key = await unsealKey(header.key, await readPassphrase(passphraseFile, false))
    if (!key)
      throw new BackupError('The passphrase is not the one of this backup. Nothing was changed.')
  }
  await withOpenInstallation(async (databaseUrl) => {
    const { freezeRestored } = await import('@/lib/installation/backup/freeze-restored')
    const { opensDatabase, takeKey } = await import('@/lib/domains/vault/key-of-database')
    const author = await operator()
    let opens = false
    let retiredFile: string | null = null
    await copyIn({
      databaseUrl,
      backup,
      contents,
      finish: async (client) => {
        await freezeRestored(client, author, header)
        if (key) retiredFile = await takeKey(key)
        opens = await opensDatabase(client)
      },
    })
    const keyFile = process.env.TOOLGATE_VAULT_KEY_FILE ?? null
    if (json)
      return printJson({
        at: header.at,
        tables: rowsOf(tables),
        opensSecrets: opens,
        keyFile,
        retiredFile,
      })
    printLine(
      `Restored the backup of ${dateOf(header.at)}. The site is frozen until an admin unfreezes it.`,
    )
    if (retiredFile !== null) printLine(`The key that this folder had before is in ${retiredFile}.`)
    if (!opens) {
      printLine(
        `The vault key here is not that of the backup. Before the first start, put the old one ${keyFile ? `into ${keyFile}` : 'into TOOLGATE_VAULT_KEY'}.`,
      )
    }
  })
}

const dateOf = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** Opens this installation without migrating it, and closes it again whatever happened. */
async function withOpenInstallation(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const { openInstallation } = await import('@/lib/installation/prepare-installation')
  const { INSTALLATION_ROOT } = await import('@/lib/installation/data-folder')
  const { setOwnProgram } = await import('@/lib/kernel/own-program')
  const { logToStandardError } = await import('@/lib/kernel/log')
  logToStandardError()
  setOwnProgram(INSTALLATION_ROOT)
  const installation = await openInstallation()
  try {
    await work(String(installation.env.DATABASE_URL))
  } finally {
    await installation.stop()
  }
}

/**
 * Returns who acts: the person with this shell. No account is needed, and the accounts may be of a version that this one does not
 * read.
 */
async function operator() {
  const { auditLabel, systemCtx } = await import('@/lib/kernel/context')
  return { id: null, label: auditLabel({ ...systemCtx(), terminalUser: terminal().user }) }
}

import 'server-only'
import { lstat, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { changed, makeChange, verb } from '@/lib/edge/verb'
import { shortestPassphrase } from '@/lib/installation/backup/sealed-key'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { backupFolder, isBackupName } from './folder'
import { writeBackupHere } from './write-backup'

const mostBytes = 1_024

/** Counted as the command line does, which has to read it again. */
const Passphrase = z
  .string()
  .refine(
    (text) => [...text.normalize('NFKC')].length >= shortestPassphrase,
    `A passphrase has at least ${shortestPassphrase} characters.`,
  )
  .refine(
    (text) => Buffer.byteLength(text) <= mostBytes,
    `A passphrase has at most ${mostBytes} bytes.`,
  )

/**
 * Begins a backup, which goes on in this process after the answer; one that fails later has its cause in the audit. Throws
 * ConflictError while another one is being written, and when it cannot begin.
 */
export const startBackup = verb({
  name: 'site.back-up',
  role: 'admin',
  scope: null,
  summary: 'Begins to write a backup of the installation into the folder of backups.',
  personsAct: () => 'backup',
  /** `passphrase` null = the vault key is left out. */
  input: z.object({ passphrase: Passphrase.nullable() }),
  transaction: false,
  run: ({ ctx }, { passphrase }) =>
    new Promise<void>((resolve, reject) => {
      const begun = () => {
        resolve()
        return true
      }
      // It never rejects. Once the promise is resolved, this changes nothing.
      void writeBackupHere(ctx, { passphrase, isScheduled: false, begun }).then((outcome) => {
        if (outcome.type === 'failed') reject(new ConflictError(outcome.cause))
        else if (outcome.type === 'not-begun') reject(new ConflictError(isRunning))
      })
    }),
})

const isRunning = 'Another backup is being written. Wait until it is done.'

/**
 * Deletes a file of the folder of backups on this server. The audit has it before the file goes, so that none is gone without an entry;
 * one that stays has a second entry with the cause. Throws NotFoundError for any other file, ConflictError for one that stays.
 */
export const deleteBackup = verb({
  name: 'backup.delete',
  role: 'admin',
  scope: null,
  summary: 'Deletes a backup from the folder of backups. Nothing brings it back.',
  reason: 'optional',
  personsAct: () => 'backup',
  input: z.object({ name: z.string().refine(isBackupName, 'This is not the name of a backup.') }),
  transaction: 'later',
  run: async ({ ctx, change }, { name: subject }) => {
    const file = path.join(backupFolder(), subject)
    const found = await lstat(file).catch(() => null)
    if (!found?.isFile()) throw new NotFoundError('This backup')
    await change(async () => changed(undefined, { subject, before: { file, bytes: found.size } }))
    try {
      // Another server with the same folder may have deleted it meanwhile.
      await rm(file, { force: true })
    } catch (cause) {
      const why = `${file} is still there (${cause instanceof Error ? cause.message : String(cause)}).`
      const failure = {
        by: ctx,
        action: 'backup.fail-delete',
        subject,
        after: { cause: why },
      } as const
      await makeChange(() => Promise.resolve({ output: undefined, changes: [failure] }))
      throw new ConflictError(`${why} Delete it in a terminal on the server.`)
    }
  },
})

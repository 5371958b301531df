import type { Command } from 'commander'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine } from '../print'
import { terminal } from '../terminal'
import { addBackupCommands } from './backup'

const rotateHelp = `
Servers may keep running. If this command is interrupted, run it again: the rotation continues. If TOOLGATE_VAULT_KEY
is set in the environment, put the new key there and the old one into TOOLGATE_VAULT_KEY_PREVIOUS, and restart every
server with both keys before you run this command (docs/vault.md).`

type ReasonOption = { reason?: string }

/**
 * Adds the commands that need a process of their own: the doctor examines what a new process finds, a rotation changes the
 * key that running servers then read, and a backup is written or restored without one.
 */
export function addOwnProcessCommands(program: Command): void {
  addBackupCommands(program)
  addVaultCommands(program)
  addDoctorCommand(program)
  addUpgradeCommand(program)
}

function addVaultCommands(program: Command): void {
  const vault = program.command('vault').description('the key that encrypts stored secrets')
  command(vault, 'status', {
    description: 'show which key is in use, and the progress of a rotation',
    work: async ({ ctx }) => {
      const { vaultStatus } = await import('@/lib/domains/vault/vault-status')
      const status = await vaultStatus(ctx)
      const { keyVersion, keyFrom, sealed, rotation, keyFileWaits } = status
      const text = () => {
        printLine(
          `Key ${keyVersion ?? 'none yet'}, from the ${keyFrom}; ${countOf(sealed, 'value is', 'values are')} encrypted.`,
        )
        if (rotation) {
          const { toVersion, left, startedAt, startedBy } = rotation
          printLine(
            `A rotation to key ${toVersion} is in progress (${startedBy}, ${startedAt}); ${countOf(left, 'value is', 'values are')} left. Continue with: toolgate vault rotate`,
          )
        }
        if (keyFileWaits) {
          printLine('The key file still holds the old key. Finish with: toolgate vault rotate')
        }
      }
      return { json: status, text }
    },
  })
  command<ReasonOption>(vault, 'rotate', {
    description: 're-encrypt every secret with a new key',
    options: (made) => made.option('--reason <text>', 'reason').addHelpText('after', rotateHelp),
    work: async ({ ctx, options: { reason } }) => {
      const { rotateVaultKey } = await import('@/lib/domains/vault/rotate-vault-key')
      const report = await rotateVaultKey(ctx, { reason })
      const { keyVersion, resealed, unreadable, retiredFile } = report
      const text = () => {
        printLine(
          `All secrets are now encrypted with key ${keyVersion} (${countOf(resealed, 'value was', 'values were')} re-encrypted).`,
        )
        if (unreadable.length > 0) {
          printLine(`No key can decrypt these values. Enter them again: ${unreadable.join(', ')}`)
        }
        printLine(
          retiredFile === null
            ? 'Remove TOOLGATE_VAULT_KEY_PREVIOUS from the environment at the next restart.'
            : `The old key is in ${retiredFile} and needed only for older backups. Delete this file together with the last of those backups.`,
        )
      }
      return { json: report, text }
    },
  })
}

function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this installation and say what to do; exits with 1 when something fails')
    .option('--json', 'write JSON to standard output')
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('../doctor/examine')
      terminal().exitCode = await runDoctor(options)
    })
}

function addUpgradeCommand(program: Command): void {
  program
    .command('upgrade')
    .description('show what the next start of this version does to the database')
    .requiredOption('--check', 'change nothing; the start itself migrates')
    .option('--json', 'write JSON to standard output')
    .action(async (options: { json?: boolean }) => {
      const { checkUpgrade } = await import('../doctor/check-upgrade')
      terminal().exitCode = await checkUpgrade(options)
    })
}

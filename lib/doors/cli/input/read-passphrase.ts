import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { terminal } from '@/lib/doors/cli/terminal'
import { shortestPassphrase } from '@/lib/installation/backup/sealed-key'
import { ValidationError } from '@/lib/kernel/errors'
import { readFileOrInput } from './read-input'

const mostBytes = 1_024

/**
 * Returns the passphrase of a backup from a file, from standard input, or typed unseen; typed twice where it is a new one. It is never
 * an argument, which other accounts of the machine and the history of a shell may show.
 */
export async function readPassphrase(file: string | undefined, isNew: boolean): Promise<string> {
  const passphrase = (await readRaw(file, isNew)).replace(/\r?\n$/, '')
  // Counted as the key is derived from it.
  if (isNew && [...passphrase.normalize('NFKC')].length < shortestPassphrase) {
    throw new ValidationError({
      '': `A passphrase has at least ${shortestPassphrase} characters. Nothing was written.`,
    })
  }
  return passphrase
}

async function readRaw(file: string | undefined, isNew: boolean): Promise<string> {
  if (file !== undefined || !terminal().typed) {
    const bytes = await readFileOrInput(file ?? '-', mostBytes)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // Read as text, bytes of a random file would become few letters.
      throw new ValidationError({ '': 'The passphrase is not UTF-8 text. Nothing was written.' })
    }
  }
  const typed = await askUnseen('Passphrase: ')
  if (isNew && (await askUnseen('The same again: ')) !== typed) {
    throw new ValidationError({ '': 'The two passphrases differ. Nothing was written.' })
  }
  return typed
}

/** Asks a question in this process's own terminal and does not show what is typed. */
async function askUnseen(question: string): Promise<string> {
  terminal().writeError(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await asking.question('')
  } finally {
    asking.close()
    terminal().writeError('\n')
  }
}

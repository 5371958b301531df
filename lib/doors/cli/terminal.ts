import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'

/** Why a file was not read. */
export type Unread = 'unreadable' | 'not-a-file' | 'too-large'

/** The terminal of a command: that of this process, or of one that asked a server (serve-commands.ts). */
export type Terminal = {
  /** A person types there, and a person reads there. */
  typed: boolean
  read: boolean
  coloured: boolean
  columns: number | undefined
  /** The name of its user at the operating system; the audit has it. */
  user: string
  /** Exit code of a command that does not fail. */
  exitCode: number
  /** This process ends with the command. A server that runs the command continues. */
  isLast: boolean
  /** Does work that needs the installation. */
  withInstallation: <T>(work: () => Promise<T>) => Promise<T>
  write: (text: string) => void
  writeError: (text: string) => void
  /** Resolves when whoever reads has taken most of what was written. */
  drained: () => Promise<void>
  /** Returns the bytes of a file there, or of standard input for "-". */
  readFile: (path: string, maxBytes: number) => Promise<Buffer | Unread>
  /** Writes a file there. Rejects when that is not possible. */
  writeFile: (path: string, text: string) => Promise<void>
  /** Asks the person one question. */
  ask: (question: string) => Promise<string>
  /** Calls back at each signal, and when nobody reads any more. Returns what ends that. */
  onStop: (listener: (why: 'signal' | 'unread') => void) => () => void
}

const current = new AsyncLocalStorage<Terminal>()

/** Returns the terminal of the command that runs. */
export function terminal(): Terminal {
  return current.getStore() ?? ownTerminal((work) => work())
}

/** Does work for a command that was typed there. */
export function inTerminal<T>(of: Terminal, work: () => Promise<T>): Promise<T> {
  return current.run(of, work)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns the terminal of this process. */
export const ownTerminal = (withInstallation: Terminal['withInstallation']): Terminal => ({
  isLast: true,
  withInstallation,
  get typed() {
    return process.stdin.isTTY === true
  },
  get read() {
    return process.stdout.isTTY === true
  },
  get coloured() {
    return process.stdout.isTTY === true && !process.env.NO_COLOR
  },
  get columns() {
    return process.stdout.columns
  },
  get user() {
    return userName()
  },
  exitCode: 0,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  },
  readFile: async (path, maxBytes) => {
    if (path === '-') return readAll(process.stdin, maxBytes)
    const handle = await open(path).catch(() => null)
    if (!handle) return 'unreadable'
    if ((await handle.stat()).isFile()) return readAll(handle.createReadStream(), maxBytes)
    await handle.close()
    return 'not-a-file'
  },
  writeFile: (path, text) => writeFile(path, text),
  ask: async (question) => {
    const asking = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await asking.question(question)
    asking.close()
    return answer
  },
  onStop: (listener) => {
    const onSignal = () => listener('signal')
    const onUnread = () => listener('unread')
    for (const signal of signals) process.on(signal, onSignal)
    process.stdout.once('error', onUnread)
    return () => {
      process.stdout.off('error', onUnread)
      for (const signal of signals) process.off(signal, onSignal)
    }
  },
})

async function readAll(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | 'too-large'> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) return 'too-large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the name of this account. A container may run under a user id without one. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

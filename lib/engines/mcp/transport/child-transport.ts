import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client'
import { launch } from '@/lib/engines/programs/launch'
import {
  type Excess,
  endGroup,
  type GroupLimits,
  watchGroup,
} from '@/lib/engines/programs/process-group'
import { readMessage } from './incoming-message'
import { lineReader, trafficLimit } from './message-limits'
import { sandboxed } from './sandbox'
import { type LogLine, mebibyte, type ServerAddress, ServerError } from './server-address'

type StdioAddress = Extract<ServerAddress, { type: 'stdio' }>

/** Limits of a server and its child processes together: processor time for a little more than one core all the time. */
const limits: GroupLimits = {
  memoryBytes: 1_024 * mebibyte,
  cpuMs: 75_000,
  windowMs: 60_000,
  processes: 500,
  everyMs: 2_000,
}

/** Start of bubblewrap's error about a missing program. */
const sandboxFailed = 'bwrap: execvp'

/** Time that a server has to end by itself. */
const graceMs = 2_000
const lastWordsMs = 200
/** Length of the kept end of its error output; secrets are still in it. */
const longestErrorText = 4_000
/** Maximum bytes that a program may leave unread. */
const mostUnreadBytes = mebibyte

/**
 * Speaks with a program over its standard input and output, one message a line. The program sees no variable of this
 * process but PATH, HOME and NODE_ENV, and ends with it. It is killed when its processes use too much memory or processor time.
 */
export class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Why the program was ended by us; null = it was not. */
  endedBy: ServerError | null = null
  #child: ChildProcess | null = null
  #stopWatching: (() => void) | null = null
  #lastError = ''
  #isClosed = false

  /** The last lines of its log, with its secrets. */
  get lastError(): string {
    return this.#lastError
  }

  // By these two the client knows that it speaks with a program: one that does not say its era in time is kept, and asked as
  // older ones are.
  get pid(): number | null {
    return this.#child?.pid ?? null
  }
  get stderr(): null {
    return null
  }

  get isEnded(): boolean {
    return this.#isClosed
  }

  constructor(
    readonly address: StdioAddress,
    readonly onLine: (line: Omit<LogLine, 'at'>) => void,
    /** Gets the request that a line seems to answer which is no message; null = it does not say which. */
    readonly onUnreadable: (id: RequestId | null) => void,
  ) {}

  async start(): Promise<void> {
    const { environment, cwd = null } = this.address
    if (cwd !== null && !(await stat(cwd).catch(() => null))?.isDirectory()) {
      throw notStarted('its working folder is not there.')
    }
    const command = await sandboxed(this.address)
    const { PATH, HOME, NODE_ENV } = process.env
    const variables = { NODE_ENV, ...(PATH && { PATH }), ...(HOME && { HOME }), ...environment }
    const child = launch(command, variables, undefined, cwd)
    this.#child = child
    this.#read(child)
    const { pid } = child
    if (pid !== undefined)
      this.#stopWatching = watchGroup(pid, limits, (excess) => this.end(used(excess)))
    child.on('exit', () => void this.#afterLastWords(child))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', () => reject(notStarted('no shell was found at /bin/sh')))
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (!input || this.#isClosed) return Promise.reject(this.ended())
    if (input.writableLength > mostUnreadBytes) this.end(unread())
    return writeLine(input, JSON.stringify(message))
  }

  /** Lets the program end by itself, then ends it and what it started. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child || this.#isClosed) return
    child.stdin?.end()
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await Promise.race([exited, sleep(graceMs, undefined, { ref: false })])
    this.#kill(child)
    this.#afterExit(child)
  }

  /** Returns what to say about a program that ended. */
  ended(): ServerError {
    if (this.endedBy) return this.endedBy
    const { exitCode = null, signalCode = null } = this.#child ?? {}
    const said = this.#lastError
    if (exitCode === 127 || said.startsWith(sandboxFailed))
      return notStarted('the program was not found.', said)
    if (exitCode === 126) return notStarted('the program cannot be run.', said)
    const how = signalCode ?? (exitCode === null ? null : `exit code ${exitCode}`)
    const words = `The program ended${how === null ? '' : ` (${how})`}.`
    return new ServerError('ended', words, said)
  }

  #read(child: ChildProcess): void {
    const lines = lineReader()
    const count = trafficLimit()
    const within = (messages: number, bytes: number): boolean => {
      const error = count(messages, bytes)
      if (error) this.end(error)
      return error === null && !this.#isClosed
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!within(0, chunk.length)) return
      try {
        for (const line of lines(chunk)) if (within(1, 0)) this.#receive(line)
      } catch (error) {
        this.end(error instanceof ServerError ? error : this.ended())
      }
    })
    this.#readLog(child, (bytes) => within(1, bytes))
  }

  /** Passes on whole lines: half of a secret would not be found. */
  #readLog({ stderr }: ChildProcess, isWithin: (bytes: number) => boolean): void {
    let open = ''
    const tell = (text: string) => {
      const line = text.trim().slice(0, longestErrorText)
      if (line !== '') this.onLine({ from: 'log', text: line })
    }
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (!isWithin(text.length)) return
      this.#lastError = `${open}${text}`.trim().slice(-longestErrorText) || this.#lastError
      const lines = `${open}${text}`.split('\n')
      open = (lines.pop() ?? '').slice(0, longestErrorText)
      tell(lines.join('\n'))
    })
    stderr?.once('end', () => tell(open))
  }

  #receive(line: string): void {
    if (line === '') return
    const read = readMessage(line)
    if (read.type === 'message') {
      this.onmessage?.(read.message)
      return
    }
    // Many programs also write what they do to their output.
    this.onLine({ from: 'log', text: `Not a message: ${line.slice(0, longestErrorText)}` })
    if (read.type === 'unreadable') this.onUnreadable(read.id)
  }

  /** Ends the program at once, because of this. */
  end(error: ServerError): void {
    const child = this.#child
    if (!child || this.#isClosed) return
    this.endedBy = error
    this.onerror?.(error)
    this.#kill(child)
    this.#afterExit(child)
  }

  #kill({ pid }: ChildProcess): void {
    if (pid !== undefined) endGroup(pid)
  }

  /** Waits for output written just before the end, but not for another process that holds the stream open. */
  async #afterLastWords(child: ChildProcess): Promise<void> {
    const closed = new Promise((resolve) => child.once('close', resolve))
    await Promise.race([closed, sleep(lastWordsMs, undefined, { ref: false })])
    this.#afterExit(child)
  }

  #afterExit(child: ChildProcess): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopWatching?.()
    // Child processes of the program end with it.
    this.#kill(child)
    for (const stream of child.stdio) stream?.destroy()
    this.onclose?.()
  }
}

function used({ kind, usage }: Excess): ServerError {
  const words = {
    memory: `The server used ${Math.round(usage.bytes / mebibyte)} MiB of memory and was stopped. At most ${limits.memoryBytes / mebibyte} MiB are allowed.`,
    cpu: 'The server used more than one processor core for a minute and was stopped. Look at what it was asked to do.',
    processes: `The server had ${usage.processes} processes and was stopped. At most ${limits.processes} are allowed.`,
  }
  return new ServerError('too-much', words[kind])
}

function unread(): ServerError {
  return new ServerError(
    'too-much',
    'The program does not read what it is sent, so it was stopped.',
  )
}

function notStarted(why: string, said = ''): ServerError {
  return new ServerError('not-started', `The server did not start: ${why}`, said)
}

function writeLine(input: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    input.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

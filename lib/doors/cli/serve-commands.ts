import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { z } from 'zod'
import { log } from '@/lib/kernel/log'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { addExamineCommand } from './doctor/examine-command'
import { buildProgram, runProgram } from './program'
import { protocol } from './serve-protocol'
import { inTerminal, type Terminal, type Unread } from './terminal'

const mostCommands = 64
const startWithinMs = 5_000
/** The longest path of a socket on the systems that allow the least. */
const longestPath = 103

const Start = z.object({
  protocol: z.number(),
  args: z.array(z.string()).min(1).max(4_096),
  /** SHA-256 of DATABASE_URL where the command was typed; null = it is not set there. */
  database: z.string().nullable(),
  /** The name of an account of the operating system. */
  user: z.string().regex(/^[^\p{C}]{1,100}$/u),
  typed: z.boolean(),
  read: z.boolean(),
  coloured: z.boolean(),
  columns: z.number().int().min(1).max(10_000).nullable(),
})
type Start = z.infer<typeof Start>

const FromTerminal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bytes'), base64: z.string() }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('failed'), why: z.enum(['unreadable', 'not-a-file', 'too-large']) }),
  z.object({ type: z.literal('answer'), text: z.string() }),
  z.object({ type: z.literal('stop'), why: z.enum(['signal', 'unread']) }),
])
type FromTerminal = z.infer<typeof FromTerminal>

/**
 * Does the commands that are typed on this machine, in this process: bin/toolgate asks at a socket in the data folder.
 * Only the account that runs this server can open that, and it can read the keys of the installation there, too.
 * Returns how to stop listening; commands that are under way go on.
 */
export async function serveCommands(dataFolder: string): Promise<() => void> {
  const folder = path.join(dataFolder, 'servers')
  const file = path.join(folder, `${randomUUID().slice(0, 8)}.sock`)
  if (process.platform === 'win32' || Buffer.byteLength(file) > longestPath) {
    log.info({ source: 'server' }, 'Commands open the database themselves: no socket fits here')
    return () => undefined
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  await removeLeftovers(folder)
  const server = createServer(answer)
  server.maxConnections = mostCommands
  await listen(server, file)
  await chmod(file, 0o600)
  server.unref()
  const stop = () => void server.close()
  shutdownSignal.addEventListener('abort', stop)
  return stop
}

/** Removes the sockets at which nobody answers: their processes were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const isServed = await new Promise<boolean>((resolve) => {
      const socket = connect(file, () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => socket.destroy())
      socket.once('connect', () => socket.destroy())
    })
    if (!isServed) await rm(file, { force: true })
  }
}

function listen(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(file, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Does the one command of a connection. A process that says nothing, or what makes no sense, is let go. */
function answer(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(startWithinMs, () => socket.destroy())
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  // It repeats the errors of the socket, which would end this process if nobody listened.
  lines.on('error', () => socket.destroy())
  lines.once('line', (line) => {
    socket.setTimeout(0)
    const start = parseLine(Start, line)
    if (start) void perform(start, socket, lines)
    else socket.destroy()
  })
}

/** Runs the command, or sends it back to the process that it was typed in. */
async function perform(start: Start, socket: Socket, lines: Interface): Promise<void> {
  const program = buildProgram()
  addExamineCommand(program)
  const [first = ''] = start.args
  const isOurs = program.commands.some((one) => one.name() === first)
  if (start.protocol !== protocol || !isOurs || !isSameDatabase(start.database)) {
    socket.end(`${JSON.stringify({ type: 'elsewhere' })}\n`)
    return
  }
  const terminal = openTerminal(start, socket, lines)
  const code = await inTerminal(terminal, () => runProgram(program, start.args))
  socket.end(`${JSON.stringify({ type: 'exit', code })}\n`)
}

function isSameDatabase(fingerprint: string | null): boolean {
  const url = process.env.DATABASE_URL ?? ''
  return fingerprint === null || fingerprint === createHash('sha256').update(url).digest('hex')
}

/** Returns the terminal at the other end. Once that has gone, nobody reads and every file is unreadable. */
function openTerminal(start: Start, socket: Socket, lines: Interface): Terminal {
  const listeners = new Set<(why: 'signal' | 'unread') => void>()
  const stop = (why: 'signal' | 'unread') => {
    for (const listener of listeners) listener(why)
  }
  let take: ((message: FromTerminal) => void) | undefined
  lines.on('line', (line) => {
    const message = parseLine(FromTerminal, line)
    if (!message) socket.destroy()
    else if (message.type === 'stop') stop(message.why)
    else take?.(message)
  })
  socket.once('close', () => {
    take?.({ type: 'failed', why: 'unreadable' })
    stop('unread')
  })
  const send = (message: object) => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
  }
  /** Asks the other end, and hands on what it answers until `read` returns something. */
  const request = <T>(message: object, read: (answer: FromTerminal) => T | undefined) =>
    new Promise<T>((resolve) => {
      take = (answer) => {
        const result = read(answer)
        if (result === undefined) return
        take = undefined
        resolve(result)
      }
      if (socket.writable) send(message)
      else take({ type: 'failed', why: 'unreadable' })
    })
  return {
    typed: start.typed,
    read: start.read,
    coloured: start.coloured,
    columns: start.columns ?? undefined,
    user: start.user,
    exitCode: 0,
    isLast: false,
    withInstallation: (work) => work(),
    write: (text) => send({ type: 'out', text }),
    writeError: (text) => send({ type: 'err', text }),
    drained: async () => {
      if (!socket.writableNeedDrain || socket.destroyed) return
      const over = new AbortController()
      const { signal } = over
      const gone = [once(socket, 'drain', { signal }), once(socket, 'close', { signal })]
      await Promise.race(gone).finally(() => over.abort())
      await Promise.allSettled(gone)
    },
    readFile: (file, maxBytes) => {
      const chunks: Buffer[] = []
      let size = 0
      return request<Buffer | Unread>({ type: 'read', file, maxBytes }, (answer) => {
        if (answer.type === 'failed') return answer.why
        if (answer.type === 'end') return Buffer.concat(chunks)
        if (answer.type !== 'bytes') return 'unreadable'
        const chunk = Buffer.from(answer.base64, 'base64')
        size += chunk.length
        if (size > maxBytes) return 'too-large'
        chunks.push(chunk)
        return undefined
      })
    },
    writeFile: async (file, text) => {
      const message = { type: 'write', file, text }
      const written = await request(message, (answer) => answer.type === 'end')
      if (!written) throw new Error('The file was not written.')
    },
    ask: (question) =>
      request({ type: 'ask', question }, (answer) => (answer.type === 'answer' ? answer.text : '')),
    onStop: (listener) => {
      listeners.add(listener)
      if (socket.destroyed) listener('unread')
      return () => void listeners.delete(listener)
    },
  }
}

/** Returns what a line of JSON says; undefined for what makes no sense. */
function parseLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

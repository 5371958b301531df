import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** The same number as in lib/doors/cli/serve-commands.ts. */
const protocol = 1

/**
 * Has a running server of this installation do a command, with this process as its terminal. Returns the exit code; null
 * when no server runs, or the command is not one for servers. `root` is the checkout's folder.
 */
export async function askServer(root, args) {
  // Help, the version and nothing need no installation.
  if (!/^[a-z]/.test(args[0] ?? 'help') || args[0] === 'help') return null
  for (const name of ['.env.local', '.env']) {
    const file = path.join(root, name)
    if (existsSync(file)) process.loadEnvFile(file)
  }
  const folder = path.join(path.resolve(root, process.env.TOOLGATE_DATA_DIR ?? '.data'), 'servers')
  for (const name of namesIn(folder)) {
    const socket = await reach(path.join(folder, name))
    if (socket) return talk(socket, args)
  }
  return null
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Connects to a server; null if it was killed, or is of another user. */
function reach(file) {
  return new Promise((resolve) => {
    const socket = connect(file, () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

function talk(socket, args) {
  const send = (message) => socket.write(`${JSON.stringify(message)}\n`)
  const { stdin, stdout, stderr } = process
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      signals += 1
      // The server answers the second one by ending the command, unless it hangs.
      if (signals > 2) process.exit(130)
      send({ type: 'stop', why: 'signal' })
    })
  }
  // A reader such as `head` may leave early; what that means is for the command to say.
  stdout.on('error', () => {
    send({ type: 'stop', why: 'unread' })
    socket.resume()
  })
  // A server that takes nothing reads nothing either: it is paused until the terminal has taken what there is.
  stdout.on('drain', () => socket.resume())
  const show = (stream, text) => {
    if (stream.writable && !stream.write(text) && stream === stdout) socket.pause()
  }
  send({
    protocol,
    args,
    database: fingerprint(process.env.DATABASE_URL),
    user: userName(),
    typed: stdin.isTTY === true,
    read: stdout.isTTY === true,
    coloured: stdout.isTTY === true && !process.env.NO_COLOR,
    columns: stdout.columns || null,
  })
  const answers = {
    out: ({ text }) => show(stdout, text),
    err: ({ text }) => show(stderr, text),
    read: (request) => sendFile(request, send, socket),
    write: ({ file, text }) =>
      writeFile(file, text).then(
        () => send({ type: 'end' }),
        () => send({ type: 'failed', why: 'unreadable' }),
      ),
    ask: ({ question }) => {
      const asking = createInterface({ input: stdin, output: stdout })
      asking.question(question, (text) => {
        asking.close()
        send({ type: 'answer', text })
      })
    },
  }
  return new Promise((resolve) => {
    let code
    const lines = createInterface({ input: socket }).on('error', () => undefined)
    lines.on('line', (line) => {
      const message = JSON.parse(line)
      if (message.type === 'exit') code = message.code
      else if (message.type === 'elsewhere') code = null
      else answers[message.type](message)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (code === undefined) {
        stderr.write('toolgate: The server stopped before the command ended. See what was done.\n')
      }
      // Waits until all output has been written before this process ends.
      stdout.write('', () => resolve(code === undefined ? 1 : code))
    })
  })
}

/** Sends the bytes of a file, or of standard input for "-", but at most one more than wanted. */
async function sendFile({ file, maxBytes }, send, socket) {
  const stream = file === '-' ? process.stdin : await openFile(file)
  if (typeof stream === 'string') return send({ type: 'failed', why: stream })
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) return send({ type: 'failed', why: 'too-large' })
    if (!send({ type: 'bytes', base64: chunk.toString('base64') })) {
      await new Promise((resolve) => socket.once('drain', resolve))
    }
  }
  return send({ type: 'end' })
}

async function openFile(file) {
  const handle = await open(file).catch(() => null)
  if (!handle) return 'unreadable'
  if ((await handle.stat()).isFile()) return handle.createReadStream()
  await handle.close()
  return 'not-a-file'
}

function fingerprint(text) {
  return text ? createHash('sha256').update(text).digest('hex') : null
}

/** Returns the name of this account. A container may run under a user id without one. */
function userName() {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

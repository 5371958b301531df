import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { examineCommand, protocol } from '../serve-protocol'
import { terminal } from '../terminal'
import { Finding } from './finding'

/** It asks providers, which may take 10 seconds each, all at once. */
const longestMs = 30_000

const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('out'), text: z.string() }),
  z.object({ type: z.literal('exit'), code: z.number() }),
  z.object({ type: z.literal('elsewhere') }),
])

/**
 * Returns what a running server of this installation finds by its own environment; null = none runs, `silent` = one runs and does not
 * answer as it should.
 */
export async function askRunningServer(dataFolder: string): Promise<Finding[] | null | 'silent'> {
  const folder = path.join(dataFolder, 'servers')
  let found: 'silent' | null = null
  for (const name of await readdir(folder).catch(() => [])) {
    const answer = await ask(path.join(folder, name))
    if (Array.isArray(answer)) return answer
    found ??= answer
  }
  return found
}

async function ask(file: string): Promise<Finding[] | null | 'silent'> {
  const socket = connect(file)
  const timer = setTimeout(() => socket.destroy(), longestMs)
  // The file of a server that was killed stays.
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
  try {
    if (!isOpen) return null
    const lines = createInterface({ input: socket }).on('error', () => undefined)
    socket.write(`${JSON.stringify(start())}\n`)
    let text = ''
    for await (const line of lines) {
      const answer = Answer.parse(JSON.parse(line))
      if (answer.type === 'elsewhere') return null
      if (answer.type === 'out') text += answer.text
      else return answer.code === 0 ? Finding.array().parse(JSON.parse(text)) : 'silent'
    }
    return 'silent'
  } catch {
    return 'silent'
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

function start() {
  const database = createHash('sha256')
    .update(process.env.DATABASE_URL ?? '')
    .digest('hex')
  const { user } = terminal()
  const seen = { typed: false, read: false, coloured: false, columns: null }
  return { protocol, args: [examineCommand], database, user, ...seen }
}

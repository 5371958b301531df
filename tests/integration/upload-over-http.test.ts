import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@/lib/installation/embedded-postgres'
import { maxFileBytes } from '@/lib/protocol/files/given-files'
import { apiKeyOf } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'

/** `npm run proof` measures the built server; a machine that is busy with something else shows nothing. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const uploads = 5

let server: StandaloneServer
let key: string
/** Each measurement has connections of its own: the server closes those that are idle for seconds. */
let agent: Agent

beforeAll(async () => {
  if (!full) return
  key = await apiKeyOf(await addPerson('admin'), 'runs:read', 'runs:write')
  server = await startStandaloneServer(await freePort(0), {})
})

afterAll(async () => {
  await server?.stop()
})

async function askForRuns(): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}` }
  const sent = request(`${server.baseUrl}/api/v1/runs`, { agent, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await once(answer.resume(), 'end')
  return answer.statusCode
}

/** Returns how long the slowest of many lists took that are asked for, one every 10 ms, until what it begins is done. */
async function slowestList(begin: () => Promise<unknown>): Promise<number> {
  agent = new Agent({ keepAlive: true })
  const lists: Promise<number>[] = []
  const list = async () => {
    const begun = performance.now()
    expect(await askForRuns()).toBe(200)
    return performance.now() - begun
  }
  const timer = setInterval(() => lists.push(list()), 10)
  await begin().finally(() => clearInterval(timer))
  const times = await Promise.all(lists)
  agent.destroy()
  return Math.max(...times)
}

/** The program of somebody who uploads a text: it says that it is ready, waits for a line, and says how it was answered. */
const uploader = `
const { randomBytes } = require('node:crypto')
const [url, key, bytes] = process.argv.slice(1)
const body = Buffer.alloc(Number(bytes), 'Größe und Maß ' + randomBytes(8).toString('hex') + '. ')
process.stdin.once('data', async () => {
  const answer = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer ' + key }, body })
  await answer.text()
  process.stdout.write(String(answer.status))
  process.exit()
})
process.stdout.write('ready')`

/** Opens a process of somebody else who uploads, so that their work is not taken for that of the server. */
async function openUploader() {
  const url = `${server.baseUrl}/api/v1/files?name=long.txt`
  const child = spawn(process.execPath, ['-e', uploader, url, key, String(maxFileBytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end('now\n')
    const [status] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(status)).toBe('201')
  }
}

test.skipIf(!full)(
  'others are answered while 20 MiB are uploaded to the built server, and how long it takes is shown',
  async () => {
    await slowestList(() => sleep(1_000))
    const alone: number[] = []
    const beside: number[] = []
    for (let at = 0; at < uploads; at++) {
      alone.push(await slowestList(() => sleep(1_000)))
      beside.push(await slowestList(await openUploader()))
    }
    const shown = (times: number[]) => times.map((time) => time.toFixed(0)).join(', ')
    console.log(
      `The slowest list of runs, in ms: ${shown(alone)} alone, ${shown(beside)} beside an upload`,
    )
  },
)

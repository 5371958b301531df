import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { openCheckedSocket } from '@/lib/engines/egress/egress-connector'
import { type Asker, headWeb, readWeb } from '@/lib/engines/tools/web/ask-web'
import { memoryWeb } from './memory-web'

/** Request of a test to this program. `hosts` is the file in which names are looked up. */
export type ProbeQuestion = {
  hosts: string
  port: number
  open: string[]
  names: Record<string, string[]>
  /** Addresses of the web, each in the order given. */
  urls: string[]
}

/** Result of an attempt: reached, or the reason; and the addresses at which the server was reached meanwhile. */
export type ProbeAnswer = { ended: string; at: string[] }
export type Probed = {
  open: Record<string, boolean>
  /** By whether private addresses are allowed. */
  answers: Record<'never' | 'allowed', Record<string, ProbeAnswer[]>>
}

const reachedAt: string[] = []

/** Runs in a network of its own, where every address that its test wants leads to one server. Prints what it could reach. */
async function main(): Promise<void> {
  const question: ProbeQuestion = JSON.parse(process.argv[2] ?? '')
  const { hosts, port, open, names, urls } = question
  const server = createServer((request, response) => serve(question, request, response))
  server.on('connection', ({ localAddress }) => reachedAt.push(plain(localAddress ?? '')))
  await new Promise<void>((resolve) => server.listen(port, '::', resolve))
  const probed: Probed = { open: {}, answers: { never: {}, allowed: {} } }
  writeNames(hosts, names)
  for (const address of open) probed.open[address] = await opens(address, port)
  for (const allowed of ['never', 'allowed'] as const) {
    for (const url of urls) {
      writeNames(hosts, names)
      probed.answers[allowed][url] = await attempts(url, allowed === 'allowed')
    }
  }
  console.log(JSON.stringify(probed))
  process.exit(0)
}

/** Leads elsewhere when it is asked to, and lets a name lead elsewhere when it is asked to. */
function serve({ hosts }: ProbeQuestion, { url = '' }: IncomingMessage, response: ServerResponse) {
  const { searchParams } = new URL(url, 'http://host')
  const [to, rebind] = [searchParams.get('to'), searchParams.get('rebind')]
  if (rebind !== null) writeNames(hosts, { 'rebound.test': [rebind] })
  if (to === null) response.end('here')
  else response.writeHead(302, { location: to }).end()
}

function writeNames(file: string, names: Record<string, string[]>): void {
  const lines = Object.entries(names).flatMap(([name, addresses]) =>
    addresses.map((address) => `${address} ${name}\n`),
  )
  writeFileSync(file, lines.join(''))
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '').replace(/%.*$/, '')
}

/** Says whether anything at all answers at an address of this network, without a check of the address. */
function opens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Reads an address, asks whether it is there, and opens a connection without HTTP. */
async function attempts(url: string, privateAddressAllowed: boolean): Promise<ProbeAnswer[]> {
  const web = { ...memoryWeb(), findHost: async () => ({ privateAddressAllowed }) }
  const asker: Asker = { runId: 'run', person: 'ada', web, signal: new AbortController().signal }
  const rule = { privateAllowed: privateAddressAllowed }
  const { hostname, port } = new URL(url)
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  return [
    await attempt(async () => void (await readWeb(url, asker))),
    await attempt(async () => void (await headWeb(url, asker))),
    await attempt(async () => void (await openCheckedSocket(place, rule, 1_000)).destroy()),
  ]
}

async function attempt(work: () => Promise<void>): Promise<ProbeAnswer> {
  reachedAt.length = 0
  const ended = await work().then(
    () => 'reached',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'failed'),
  )
  // A connection that was made is known to the server a moment later.
  await new Promise((resolve) => setTimeout(resolve, 10))
  return { ended, at: [...new Set(reachedAt)] }
}

void main()

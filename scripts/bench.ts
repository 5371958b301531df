import { existsSync } from 'node:fs'
import { freePort } from '@/lib/installation/free-port'
import { startEngine } from '@/lib/runs/engine'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { printAtOnce } from './bench/at-once'
import { engineRun } from './bench/engine-run'
import { printFirstToken, type Watch } from './bench/first-token'
import { openInMemoryRun } from './bench/in-memory-run'
import { openLoops } from './bench/loops'
import type { Loop } from './bench/measure'
import { printOverhead } from './bench/overhead'
import { printMemory, printRounds } from './bench/rounds'
import { openScratchSite, type ScratchSite } from './bench/scratch-site'
import { serverRun } from './bench/server-run'
import { startModelProcess } from './bench/start-model-process'

/** Measures Toolgate against a hand-written loop, on a model server and a database of its own (docs/benchmark.md). */
async function main(): Promise<void> {
  const model = await startModelProcess()
  const site = await openScratchSite(model.url)
  try {
    await measureAll(model.url, site)
  } finally {
    await site.close()
    await model.stop()
  }
}

async function measureAll(modelUrl: string, site: ScratchSite): Promise<void> {
  const loops = await openLoops(modelUrl)
  const engine = await startEngine('server')
  const durable: Loop = (prompt) => engineRun(site, prompt)
  try {
    await printOverhead(loops, durable)
    await printAtOnce(loops, durable)
    await printRounds(modelUrl, loops, durable)
    await printMemory(loops, durable)
    await measureFirstToken(modelUrl, site)
  } finally {
    await engine.drain()
  }
}

async function measureFirstToken(modelUrl: string, site: ScratchSite): Promise<void> {
  const watches: [string, Watch][] = [
    ['runAgent, journal in memory', await openInMemoryRun(modelUrl, 5)],
    ['engine in this process', (prompt, onEvent) => engineRun(site, prompt, onEvent)],
  ]
  const server = await startBuiltServer(site)
  try {
    const { apiKey } = site
    if (server) {
      const target = { baseUrl: server.baseUrl, apiKey }
      watches.push(['built server, over HTTP', (prompt, see) => serverRun(target, prompt, see)])
    }
    await printFirstToken(modelUrl, watches)
  } finally {
    await server?.stop()
  }
  if (!server) console.log('\nThe built server was left out: there is none yet (npm run build).')
}

async function startBuiltServer({ env }: ScratchSite): Promise<StandaloneServer | null> {
  if (!existsSync('.next/standalone/server.js')) return null
  return startStandaloneServer(await freePort(46_000), env)
}

const startedAt = performance.now()
await main()
console.log(`\nMeasured in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
// The workflow library keeps timers; nothing is left to do.
process.exit()

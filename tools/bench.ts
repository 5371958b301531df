import './bench/quiet-log'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freePort } from '@/lib/installation/embedded-postgres'
import { startStandaloneServer } from '@/tests/support/standalone-server'
import { measureAlone, printAlone } from './bench/alone'
import { printAtOnce } from './bench/at-once'
import { printChecks } from './bench/checks'
import { printConversation } from './bench/conversation'
import { printDatabase } from './bench/database'
import { engineRun } from './bench/engine-run'
import { printFirstToken, type Watch } from './bench/first-token'
import { printGoals } from './bench/goals'
import { openInMemoryRun } from './bench/in-memory-run'
import { openLoops } from './bench/loops'
import { printMemory } from './bench/memory'
import { openEngine } from './bench/open-engine'
import { openPeers } from './bench/open-peers'
import { printOverhead } from './bench/overhead'
import { printPanel } from './bench/panel'
import { printRounds } from './bench/rounds'
import { openScratchSite, type ScratchSite } from './bench/scratch-site'
import { serverRun } from './bench/server-run'
import { printSeveralServers, serveShare } from './bench/several-servers'
import { startModelProcess } from './bench/start-model-process'
import { measureTrial, printTrial } from './bench/trial'

const { values: options } = parseArgs({
  options: { part: { type: 'string' }, peers: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Parts that can be measured alone in one process with an engine. */
const partsInOne = new Map<string | undefined, (site: ScratchSite) => Promise<void>>([
  ['conversation', printConversation],
  ['panel', printPanel],
  ['checks', printChecks],
  ['trial', printTrial],
])
const parts = ['servers', ...partsInOne.keys()]
if (options.part !== undefined && !parts.includes(options.part)) {
  throw new Error(`There is no part ${options.part}. Leave it out, or give ${parts.join(', ')}.`)
}

/** Opened resources, in order. A benchmark that is stopped early closes all of them, too. */
const opened: { close: () => Promise<void> }[] = []

function keep<T extends { close: () => Promise<void> }>(thing: T): T {
  opened.push(thing)
  return thing
}

/** Closes everything but the first `kept` things. */
async function closeAll(kept = 0): Promise<void> {
  for (const thing of opened.splice(kept).reverse()) await thing.close()
}

/** Measures Toolgate against a hand-written loop, on a model server and a database of its own (docs/benchmark.md). */
async function main(): Promise<void> {
  const model = keep(await startModelProcess())
  const site = keep(await openScratchSite(model.url))
  const print = partsInOne.get(options.part)
  if (print) {
    keep(await openEngine())
    await print(site)
    return printGoals()
  }
  if (options.part !== 'servers') await measureOne(model.url, site)
  // No other process works on runs while they do.
  await closeAll(2)
  await printSeveralServers(site.env.DATABASE_URL ?? '', model)
  printGoals()
}

/** Measures what one process does. */
async function measureOne(url: string, site: ScratchSite): Promise<void> {
  const peers = options.peers ? await openPeers(url) : []
  keep(await openEngine())
  const loops = await openLoops(url, (prompt) => engineRun(site, prompt), peers)
  await printOverhead(loops)
  await printAtOnce(loops)
  await printRounds(url, loops)
  await printConversation(site)
  await printPanel(site)
  await printChecks(site)
  await printTrial(site)
  await printDatabase(site.env.DATABASE_URL ?? '', loops.engine)
  await printMemory(loops)
  await printAlone(url)
  await measureFirstToken(url, site)
}

async function measureFirstToken(modelUrl: string, site: ScratchSite): Promise<void> {
  const watches: [string, Watch][] = [
    ['`runAgent`, journal in memory', await openInMemoryRun(modelUrl, 5)],
    ['engine, watched in its process', (prompt, onUpdate) => engineRun(site, prompt, onUpdate)],
  ]
  const server = await startBuiltServer(site)
  if (server) {
    watches.push([
      'built server, over HTTP',
      (prompt, onUpdate) => serverRun(server, prompt, onUpdate),
    ])
  }
  await printFirstToken(modelUrl, watches)
  if (!server) console.log('\nWithout the built server: there is none yet (npm run build).')
}

async function startBuiltServer({ env, apiKey }: ScratchSite) {
  if (!existsSync('.next/standalone/server.js')) return null
  const { baseUrl, stop } = await startStandaloneServer(await freePort(46_000), env)
  return keep({ baseUrl, apiKey, close: () => stop() })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeAll().finally(() => process.exit(1)))
}

/** Does the task of a process that this program started; false in any other. */
async function isTaskOfChild(given: readonly string[]): Promise<boolean> {
  return (await measureAlone(given)) || (await measureTrial(given)) || (await serveShare(given))
}

const startedAt = performance.now()
const given = process.argv.slice(2)
try {
  if (!(await isTaskOfChild(given))) {
    await main()
    console.log(`\nMeasured in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  }
} finally {
  await closeAll()
}
// Timers of the workflow library would keep the process alive.
process.exit()

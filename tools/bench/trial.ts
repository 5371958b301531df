import { spawnSync } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pLimit from 'p-limit'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import type { Ctx } from '@/lib/kernel/context'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { startRun } from '@/lib/runs/start/start-run'
import { limitTool } from '@/lib/toolset/tools/tool-verbs'
import { addPerson } from '@/tests/support/people'
import { watchEngineRun } from './engine-run'
import { noteGoal } from './goals'
import { collectGarbage, requireLastWords } from './measure'
import { openEngine } from './open-engine'
import { number, printTable } from './print-table'
import { lastWords, pagesPrompt } from './prompts'
import { configuration, type ScratchSite } from './scratch-site'

const runs = 1_000
const toolRounds = 5
const megabyte = 1024 * 1024
const draft = { tools: [{ name: 'read_page', enabled: false }] }

type Site = Pick<ScratchSite, 'admin'>
/** Use of one trial. `waitMs`: the longest that another read took meanwhile, more than without a trial. */
type Use = { seconds: number; rssMb: number; blockMs: number; waitMs: number }

/** Prints what it takes to try a change on past runs, in a process that does nothing else. */
export async function printTrial(site: Site): Promise<void> {
  await recordRuns(site)
  const { seconds, rssMb, blockMs, waitMs } = ownProcess()
  console.log(`\nOne tool off, tried on ${runs} runs of ${toolRounds} tool rounds\n`)
  printTable(
    ['seconds', 'highest RSS above idle, MB', 'longest block, ms', 'longest wait of a read, ms'],
    [[seconds, rssMb, blockMs, waitMs].map(number)],
  )
  noteGoal('a change tried on 1,000 runs', seconds, 20, 's')
  noteGoal('a change tried on 1,000 runs: memory', rssMb, 200, 'MB')
  noteGoal('a change tried on 1,000 runs: another read waits', waitMs, 100, 'ms')
}

/** Records the runs: half read pages of 8 KB, half add numbers. Calls of both tools are counted. */
async function recordRuns(site: Site): Promise<void> {
  for (const name of ['read_page', 'calculate']) await limitTool(site.admin, { name, perRun: 100 })
  const prompts = [pagesPrompt(toolRounds), sumsPrompt(toolRounds)]
  await pLimit(16).map([...Array(runs).keys()], async (place) => {
    const { runId } = await startRun(site.admin, {
      configuration,
      prompt: prompts[place % prompts.length] ?? '',
      tools: null,
      maxRounds: null,
      idempotencyKey: null,
    })
    requireLastWords(await watchEngineRun(site, runId, () => undefined))
  })
}

function sumsPrompt(rounds: number): string {
  const turns = Array.from(
    { length: rounds },
    (_, place) => `[[say: I add.]] [[call calculate {"expression":"${place} + 1"}]]`,
  )
  return [...turns, `[[say: ${lastWords}]]`].join('[[then]]')
}

function ownProcess(): Use {
  const args = ['--conditions=react-server', process.argv[1] ?? '', 'trial']
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`A process that tries a change ended with ${status}.`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** Tries a change in a process that was started for this alone; false in any other. */
export async function measureTrial([task]: readonly string[]): Promise<boolean> {
  if (task !== 'trial') return false
  const admin = await addPerson('admin')
  await openEngine()
  await runTrial(admin, TrialInput.parse({ draft, mostRuns: 20 }))
  console.log(JSON.stringify(await measureUse(admin)))
  return true
}

async function tryOnAll(admin: Ctx): Promise<void> {
  const input = TrialInput.parse({ draft, mostRuns: runs })
  const { replayed, changed, baseline } = await runTrial(admin, input)
  if (replayed !== runs || changed !== runs / 2 || baseline !== 0)
    throw new Error(`Of ${runs} runs, ${replayed} were replayed and ${changed} changed.`)
}

async function measureUse(admin: Ctx): Promise<Use> {
  const idleWait = await longestRead(admin, new Promise((resolve) => setTimeout(resolve, 2_000)))
  collectGarbage()
  const idle = process.memoryUsage.rss()
  let most = idle
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startedAt = performance.now()
  const wait = await longestRead(admin, tryOnAll(admin))
  const seconds = (performance.now() - startedAt) / 1000
  delay.disable()
  clearInterval(watching)
  return {
    seconds,
    rssMb: (most - idle) / megabyte,
    blockMs: delay.max / 1e6,
    waitMs: Math.max(0, wait - idleWait),
  }
}

/** Reads a configuration 20 times a second, as pages do, until something is done; returns the longest time of one. */
async function longestRead(admin: Ctx, done: Promise<unknown>): Promise<number> {
  let isDone = false
  let longest = 0
  const watched = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const since = performance.now()
    await findConfiguration(admin, configuration)
    longest = Math.max(longest, performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await watched
  return longest
}

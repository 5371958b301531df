import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import { cloneConfiguration } from '@/lib/domains/configurations/verbs'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runSuite } from '@/lib/runs/checks/start-check'
import { db } from '@/tests/support/fixture-db'
import { engineRun, startEngineRun, watchEngineRun } from './engine-run'
import { noteGoal } from './goals'
import { median, requireLastWords } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'
import { configuration, type ScratchSite } from './scratch-site'
import { countStatements, ownCpuMs } from './use'

const checks = 100
const others = ['checked-2', 'checked-3']
const tries = checks * (others.length + 1)
/** As many as a run of checks has at work. */
const atOnce = 4
/** The first one only warms up. */
const samples = 2
const suite = 'benchmark'

type Site = Pick<ScratchSite, 'admin'>
/** Cost of one run or try, with the statements that it sent. */
type Cost = { cpuMs: number; wallMs: number; statements: number }

/** Prints what a try of a check costs beside a plain run, of one tool round with 8 KB of result each. */
export async function printChecks(site: Site): Promise<void> {
  await addChecks(site)
  const plain: Cost[] = []
  const checked: Cost[] = []
  for (let sample = 0; sample < samples; sample++) {
    const ofRuns = await measured(() => runPlain(site))
    const ofChecks = await measured(() => runChecks(site))
    if (sample === 0) continue
    plain.push(ofRuns)
    checked.push(ofChecks)
  }
  const of = (list: readonly Cost[], unit: keyof Cost) => median(list.map((cost) => cost[unit]))
  const row = (unit: keyof Cost) => [
    number(of(plain, unit)),
    number(of(checked, unit)),
    ratio(of(checked, unit), of(plain, unit)),
  ]
  console.log(
    `\n${checks} checks with ${others.length + 1} configurations, recorded, beside as many runs, ${atOnce} at once\n`,
  )
  printTable(
    ['', 'a run', 'a try', 'ratio'],
    [
      ['CPU ms', ...row('cpuMs')],
      ['wall ms', ...row('wallMs')],
      ['statements', ...row('statements')],
    ],
  )
  noteGoal('a try of a check vs a run: CPU', of(checked, 'cpuMs') / of(plain, 'cpuMs'), 1.5)
  noteGoal('statements of a try of a check', of(checked, 'statements'), 30, '')
}

async function addChecks(site: Site): Promise<void> {
  const { id } = await db().configuration.findUniqueOrThrow({
    where: { identifier: configuration },
  })
  for (const identifier of others)
    await cloneConfiguration(site.admin, { id, identifier, name: identifier })
  const runId = await startEngineRun(site, pagesPrompt(1))
  requireLastWords(await watchEngineRun(site, runId, () => undefined))
  for (let number = 1; number <= checks; number++)
    await saveCheck(site.admin, { runId, name: `check ${number}`, suites: [suite] })
}

async function measured(work: () => Promise<void>): Promise<Cost> {
  const statements = countStatements()
  const [cpu, startedAt] = [ownCpuMs(), performance.now()]
  await work()
  const wallMs = (performance.now() - startedAt) / tries
  const cost = { cpuMs: (ownCpuMs() - cpu) / tries, wallMs, statements: statements.count() / tries }
  statements.stop()
  return cost
}

async function runPlain(site: Site): Promise<void> {
  const run = async () => requireLastWords(await engineRun(site, pagesPrompt(1)))
  await pLimit(atOnce).map(Array(tries), run)
}

async function runChecks({ admin }: Site): Promise<void> {
  const configurations = [configuration, ...others]
  const { checkRunId: id } = await runSuite(admin, { suite, configurations })
  const open = { where: { id, endedAt: null } }
  while ((await db().checkRun.count(open)) > 0) await wait(250)
  const { passed } = await readCheckRun(admin, { id })
  if (passed !== tries) throw new Error(`${passed} of ${tries} tries passed.`)
}

import { cloneConfiguration } from '@/lib/domains/configurations/verbs'
import { startPanel } from '@/lib/runs/panels/start-panel'
import { db } from '@/tests/support/fixture-db'
import { startEngineRun, watchEngineRun } from './engine-run'
import { noteGoal } from './goals'
import { median, requireLastWords } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'
import { configuration, type ScratchSite } from './scratch-site'
import { ownCpuMs } from './use'

const members = 4
/** Runs before it is measured: V8 compiles hot code again and again. */
const warmUp = 40
const samples = 60

type Cost = { cpuMs: number; wallMs: number }
type Site = Pick<ScratchSite, 'admin'>

/** Prints what a panel of four costs beside one run, of one tool round with 8 KB of result each. */
export async function printPanel(site: Site): Promise<void> {
  const configurations = await addOthers(site)
  const single: Cost[] = []
  const four: Cost[] = []
  for (let sample = -warmUp; sample < samples; sample++) {
    const one = await measured(() => runOne(site))
    const all = await measured(() => runPanel(site, configurations))
    if (sample < 0) continue
    single.push(one)
    four.push(all)
  }
  const of = (list: readonly Cost[], unit: keyof Cost) => median(list.map((cost) => cost[unit]))
  const row = (unit: keyof Cost) => [
    number(of(single, unit)),
    number(of(four, unit)),
    ratio(of(four, unit), of(single, unit)),
  ]
  console.log(`\nA panel of ${members} beside one run, of one tool round each\n`)
  printTable(
    ['', 'one run', 'the panel', 'ratio'],
    [
      ['CPU ms', ...row('cpuMs')],
      ['wall ms', ...row('wallMs')],
    ],
  )
  noteGoal(`a panel of ${members} vs one run: CPU`, of(four, 'cpuMs') / of(single, 'cpuMs'), 4.2)
}

/** Adds configurations like that of the benchmark. Returns the identifiers of all. */
async function addOthers({ admin }: Site): Promise<string[]> {
  const { id } = await db().configuration.findUniqueOrThrow({
    where: { identifier: configuration },
  })
  const identifiers = Array.from({ length: members - 1 }, (_, place) => `member-${place + 2}`)
  for (const identifier of identifiers) {
    await cloneConfiguration(admin, { id, identifier, name: identifier })
  }
  return [configuration, ...identifiers]
}

async function measured(work: () => Promise<void>): Promise<Cost> {
  const [cpu, startedAt] = [ownCpuMs(), performance.now()]
  await work()
  return { cpuMs: ownCpuMs() - cpu, wallMs: performance.now() - startedAt }
}

async function runOne(site: Site): Promise<void> {
  const runId = await startEngineRun(site, pagesPrompt(1))
  requireLastWords(await watchEngineRun(site, runId, () => undefined))
}

async function runPanel(site: Site, configurations: string[]): Promise<void> {
  const input = { configurations, prompt: pagesPrompt(1), tools: ['read_page'] }
  const { panelId } = await startPanel(site.admin, input)
  const runs = await db().run.findMany({ where: { panelId }, select: { id: true } })
  await Promise.all(
    runs.map(async ({ id }) => requireLastWords(await watchEngineRun(site, id, () => undefined))),
  )
}

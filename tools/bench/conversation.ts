import { startEngineRun, watchEngineRun } from './engine-run'
import { noteGoal } from './goals'
import { median, requireLastWords } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'
import type { ScratchSite } from './scratch-site'
import { ownCpuMs } from './use'

const turns = 10
/** Conversations before it is measured: V8 compiles hot code again and again. */
const warmUp = 40
const samples = 60
const moments = ['`startRun` returned', 'the first word', 'the end'] as const

/** Time that a turn has used by each of the moments, in milliseconds. */
type Costs = { cpuMs: number[]; wallMs: number[] }

/** Prints what the tenth turn of a conversation costs beside the first one, of one tool round with 8 KB of result each. */
export async function printConversation(site: Pick<ScratchSite, 'admin'>): Promise<void> {
  const first: Costs[] = []
  const last: Costs[] = []
  for (let sample = -warmUp; sample < samples; sample++) {
    let continues: string | null = null
    for (let turn = 1; turn <= turns; turn++) {
      const { runId, costs }: Turn = await measureTurn(site, continues)
      continues = runId
      if (sample < 0) continue
      if (turn === 1) first.push(costs)
      if (turn === turns) last.push(costs)
    }
  }
  const at = (list: readonly Costs[], unit: keyof Costs, moment: number) =>
    median(list.map((costs) => costs[unit][moment] ?? Number.NaN))
  const rows = moments.map((name, moment) => [
    name,
    ...(['cpuMs', 'wallMs'] as const).flatMap((unit) => {
      const [early, late] = [at(first, unit, moment), at(last, unit, moment)]
      return [number(early), number(late), ratio(late, early)]
    }),
  ])
  console.log(`\nTurn ${turns} of a conversation beside its first turn, of one tool round each\n`)
  printTable(
    ['by', 'CPU ms, turn 1', `turn ${turns}`, 'ratio', 'wall ms, turn 1', `turn ${turns}`, 'ratio'],
    rows,
  )
  const goal = (unit: keyof Costs) => at(last, unit, 1) / at(first, unit, 1)
  noteGoal(
    `turn ${turns} of a conversation vs its first: CPU to the first word`,
    goal('cpuMs'),
    1.2,
  )
  noteGoal(
    `turn ${turns} of a conversation vs its first: time to the first word`,
    goal('wallMs'),
    1.2,
  )
}

type Turn = { runId: string; costs: Costs }

async function measureTurn(
  site: Pick<ScratchSite, 'admin'>,
  continues: string | null,
): Promise<Turn> {
  const costs: Costs = { cpuMs: [], wallMs: [] }
  const [cpu, startedAt] = [ownCpuMs(), performance.now()]
  const note = () => {
    costs.cpuMs.push(ownCpuMs() - cpu)
    costs.wallMs.push(performance.now() - startedAt)
  }
  const runId = await startEngineRun(site, pagesPrompt(1), continues)
  note()
  let shown = false
  const answer = await watchEngineRun(site, runId, (update) => {
    if (update.type !== 'text-delta' || shown) return
    shown = true
    note()
  })
  note()
  requireLastWords(answer)
  return { runId, costs }
}

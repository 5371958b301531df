import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, TestRunner } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { toRunEvent } from '@/lib/runs/run-record'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { turnOfRole, type Work } from './coordinations'
import { db } from './fixture-db'
import { turnOfPrompt } from './model-server/prompt-directives'
import { startModelServer } from './model-server/start-model-server'
import { needsNoApproval } from './needs-no-approval'
import { addPanelSite, startOn } from './panel-site'
import { addRunSite, start } from './run-site'
import { setEnv } from './test-process'
import { words } from './words'

declare module 'vitest' {
  interface TaskMeta {
    measured?: string
    missing?: string
  }
}

/** `npm run chaos` sets this: everything is tried in full, and its table shows what was measured. */
export const isFullChaos = process.env.TOOLGATE_FULL_CHAOS === '1'

/** Shows what a test measured, in its output and in the table of `npm run chaos`. */
export function report(measured: string): void {
  console.log(measured)
  const test = TestRunner.getCurrentTest()
  if (test) test.meta.measured = measured
}

export type WritingRun = Work & { runId: string }

/** Allowed numbers of effects, by the outcome of the call. A call is denied when the gates cannot be read. */
const fitting: Record<string, readonly [number, number]> = {
  ok: [1, 1],
  unknown: [0, 1],
  denied: [0, 0],
}

/** Runs that write outside, and the ledger of what they wrote, which no process of ours keeps. */
export async function openWritingRuns() {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-chaos-'))
  const ledger = path.join(folder, 'effects.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: ledger,
  })
  const server = await startModelServer({
    script: (request) => turnOfRole(request) ?? turnOfPrompt(request),
  })
  const site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'append_line', enabled: true, reason: 'chaos' })
  await needsNoApproval('append_line')
  const wires = Array<'openai-compatible'>(5).fill('openai-compatible')
  const five = await addPanelSite(server.url, wires)
  const four = { ...five, configurations: five.configurations.slice(0, 4) }
  const readEffects = async () => (await readFile(ledger, 'utf8').catch(() => '')).split('\n')
  let started = 0

  const findActive = (runs: readonly WritingRun[]) =>
    db().run.findMany({
      where: { id: { in: runs.map(({ runId }) => runId) }, NOT: { status: 'ended' } },
      select: { id: true, instanceId: true },
    })

  /** Checks that a run ended once and that no event of it is missing. Returns the outcome that it tells of each of its writes. */
  const outcomesOf = async ({ runId, lines, answer }: WritingRun): Promise<string[]> => {
    const rows = await db().runEventRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } })
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, place) => place + 1))
    const state = foldRun(rows.map(toRunEvent))
    expect(rows.filter(({ type }) => type === 'run-end')).toHaveLength(1)
    expect(state.end?.reason, state.end?.message).toBe('completed')
    expect(state.rounds.at(-1)?.text).toBe(answer)
    const calls = state.rounds.flatMap((round) => round.calls)
    expect(calls).toHaveLength(lines.length)
    return lines.map((line) => {
      const state = calls.find(({ argumentsText }) => argumentsText.includes(line))?.state
      return state?.type === 'ended' ? state.outcome.type : 'none'
    })
  }

  /** Checks that what was written fits what these runs tell, which write the same lines. Returns how many outcomes are unknown. */
  const expectEffects = async (
    runs: readonly WritingRun[],
    effects: readonly string[],
  ): Promise<number> => {
    const outcomesOfRuns = await Promise.all(runs.map(outcomesOf))
    for (const [place, line] of (runs[0]?.lines ?? []).entries()) {
      const outcomes = outcomesOfRuns.map((of) => of[place] ?? 'none')
      const bounds = outcomes.map((outcome) => fitting[outcome] ?? [Number.NaN, Number.NaN])
      const times = effects.filter((effect) => effect === line).length
      const [least, most] = [0, 1].map((end) => bounds.reduce((sum, of) => sum + (of[end] ?? 0), 0))
      expect(times, `${line} ${outcomes.join()}`).toBeGreaterThanOrEqual(least ?? Number.NaN)
      expect(times, `${line} ${outcomes.join()}`).toBeLessThanOrEqual(most ?? Number.NaN)
    }
    return outcomesOfRuns.flat().filter((outcome) => outcome === 'unknown').length
  }

  /** Returns the prompt for two writes, which name it, and then an answer. */
  const promptOf = (text: string, directive: string) => {
    started += 1
    const answer = `${text} of run ${started}`
    const lines = [1, 2].map((part) => `run ${started} part ${part}.`)
    const calls = lines.map(
      (text) => `[[call append_line {"text":"${text}","delayMs":40,"delayAfterMs":40}]] [[then]]`,
    )
    return { prompt: `${calls.join(' ')} [[${directive}: ${answer}]]`, lines, answer }
  }

  const startWith = async (
    text: string,
    directive: string,
    continues: string | null = null,
  ): Promise<WritingRun> => {
    const { prompt, ...rest } = promptOf(text, directive)
    const { runId } = await start(site, prompt, { continues })
    return { runId, ...rest }
  }

  /** Starts a panel of four members, which all write the same lines. Resolves with their runs. */
  const startFour = async (): Promise<WritingRun[]> => {
    const { prompt, ...rest } = promptOf(words(12), 'say slowly 30ms')
    const { panelId } = await startOn(four, { prompt, tools: ['append_line'] })
    const { members } = await readPanel(four.admin, { panelId })
    return members.map(({ run, refusal }) => ({
      runId: run?.runId ?? fail(`A member was refused: ${refusal}`),
      ...rest,
    }))
  }

  return {
    site,
    findActive,
    startOne: () => startWith(words(12), 'say slowly 30ms'),
    /** Starts the next turn of a conversation; null = its first one. */
    startTurn: (continues: string | null) => startWith(words(4), 'say slowly 30ms', continues),
    requests: server.requests,
    /** Starts a run whose answer comes after three seconds, and takes more room than a full disk has left. */
    startLong: () => startWith(words(20_000), 'wait 3000ms]] [[say'),
    untilEnded: (runs: readonly WritingRun[]) =>
      expect
        .poll(async () => (await findActive(runs)).length, { timeout: 90_000, interval: 200 })
        .toBe(0),
    /** Checks all of these runs. Returns how many of their writes have an unknown outcome. */
    expectWhole: async (runs: readonly WritingRun[]): Promise<number> => {
      const effects = await readEffects()
      let unknown = 0
      for (const run of runs) unknown += await expectEffects([run], effects)
      return unknown
    },
    startFour,
    /** Starts coordinations of five roles, all of which write except the last. */
    five,
    /** Checks all of these panels, each as the runs of its members. Returns how many writes have an unknown outcome. */
    expectPanels: async (panels: readonly WritingRun[][]): Promise<number> => {
      const effects = await readEffects()
      let unknown = 0
      for (const members of panels) unknown += await expectEffects(members, effects)
      return unknown
    },
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function fail(why: string): never {
  throw new Error(why)
}

export type WritingRuns = Awaited<ReturnType<typeof openWritingRuns>>

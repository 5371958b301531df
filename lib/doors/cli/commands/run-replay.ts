import type { Command } from 'commander'
import type { RunReplay } from '@/lib/runs/replay/read-replay'
import { visibleText } from '@/lib/words/clean-text'
import { because, countOf } from '@/lib/words/format'
import { placeWords } from '@/lib/words/replay-words'
import { command } from '../command'
import { printLine, printTable } from '../print'

const exitCodes = { same: 0, different: 3, 'not-replayable': 4 } as const

/** Adds the command that asks what today's policy would have done in a run. */
export function addReplayCommand(run: Command): void {
  command(run, 'replay', {
    description: `show what today's policy would have done in a run, without calling anything (exit code 0: the same, 3: different, 4: not replayable)`,
    args: { '<run>': 'id of the run' },
    work: async ({ ctx, args: [runId = ''] }) => {
      const { readReplay } = await import('@/lib/runs/replay/read-replay')
      const replay = await readReplay(ctx, runId)
      return {
        json: replay,
        text: () => printReplay(replay),
        exitCode: exitCodes[replay.result],
      }
    },
  })
}

function printReplay({ result, why, frozen, offers, differences, unlisted }: RunReplay): void {
  if (frozen) {
    const sentence = `The site is frozen by ${frozen.by}${because(frozen.reason)} Every run would stop.`
    printLine(visibleText(`${sentence} The rest leaves this out.`))
  }
  if (result === 'not-replayable') printLine(`Not replayable: ${why}`)
  if (result === 'same') printLine("Today's policy would have done the same.")
  if (differences.length > 0)
    printTable(
      ['WHERE', 'THEN', 'TODAY', 'GATE'],
      differences.map(({ place, was, would, gate, follows }) => [
        placeWords(place),
        was,
        follows ? `${would} (follows from an earlier difference)` : would,
        gate ?? '',
      ]),
    )
  if (unlisted > 0) printLine(`${countOf(unlisted, 'more difference')} not listed.`)
  if (offers.length === 0) return
  printLine('')
  printLine('Tools offered at the start:')
  printTable(
    ['TOOL', 'THEN', 'TODAY'],
    offers.map(({ tool, was, would }) => [tool, was, would]),
  )
}

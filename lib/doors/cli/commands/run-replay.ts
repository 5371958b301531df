import type { Command } from 'commander'
import type { RunReplay } from '@/lib/runs/replay/read-replay'
import { visibleText } from '@/lib/words/clean-text'
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
  if (frozen) printLine(visibleText(`The site is frozen by ${frozen.by}. This is left out below.`))
  if (result === 'not-replayable') printLine(`Not replayable: ${why}`)
  if (result === 'same') printLine("Today's policy would have done the same.")
  if (differences.length > 0)
    printTable(
      ['WHERE', 'THEN', 'TODAY', 'GATE'],
      differences.map(({ place, was, would, gate, follows }) => [
        placeWords(place),
        visibleText(was),
        visibleText(follows ? `${would} (follows from an earlier difference)` : would),
        gate ?? '',
      ]),
    )
  if (unlisted > 0) printLine(`${unlisted} more differences are not listed.`)
  if (offers.length === 0) return
  printLine('')
  printLine('Tools offered at the start:')
  printTable(
    ['TOOL', 'THEN', 'TODAY'],
    offers.map(({ tool, was, would }) => [tool, visibleText(was), visibleText(would)]),
  )
}

export function placeWords(place: RunReplay['differences'][number]['place']): string {
  switch (place.type) {
    case 'round':
      return `round ${place.round}`
    case 'call':
      return `round ${place.round}, ${visibleText(place.tool)}`
    case 'end':
      return 'end'
    default:
      return place satisfies never
  }
}

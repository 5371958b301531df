import type { Command } from 'commander'
import {
  figureWords,
  type RunComparison,
  type SentDifference,
} from '@/lib/protocol/run/compare-runs'
import { visibleText } from '@/lib/words/clean-text'
import { diffLines } from '@/lib/words/diff-lines'
import { listWords } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printLine, printTable } from '../print'

/** Adds the command that compares two runs. */
export function addCompareCommand(run: Command): void {
  command(run, 'compare', {
    description:
      'show how a run differs from another: what was sent, the answer, calls, cost and time',
    args: {
      '<run>': 'id of the run',
      '[other]': 'id of the run before (default: the one that it is, with a change)',
    },
    work: async ({ ctx, args: [runId = '', other] }) => {
      const { readComparison } = await import('@/lib/runs/lists/compare')
      const found = await readComparison(ctx, runId, other ?? null)
      return { json: found, text: () => printComparison(found) }
    },
  })
}

function printComparison({ sent, answers, calls, figures }: RunComparison): void {
  printLine(sent.length === 0 ? 'The same was sent.' : 'What was sent differs:')
  for (const difference of sent) {
    if (difference.type === 'text') printText(difference.label, difference)
    else printLine(`  ${difference.label}: ${sidesOf(difference).join(' -> ')}`)
  }
  printLine('')
  if (answers.before === answers.after) printLine('The answers are the same.')
  else printText('Answer', answers)
  if (calls.length > 0) {
    printLine('')
    printTable(
      ['BEFORE', 'OUTCOME', 'AFTER', 'OUTCOME'],
      calls.map(({ before, after }) => [...callWords(before), ...callWords(after)]),
    )
  }
  printLine('')
  printTable(
    ['', 'BEFORE', 'AFTER', 'DIFFERENCE'],
    figures.map(({ name, label, before, after, difference }) => [
      label,
      figureWords(name, before),
      figureWords(name, after),
      difference,
    ]),
  )
}

function sidesOf({ before, after }: Exclude<SentDifference, { type: 'text' }>): string[] {
  return [before, after].map((side) =>
    cutLine(typeof side === 'string' ? side : listWords('other', side)),
  )
}

/** Prints the lines that differ, with a mark before each. */
function printText(label: string, { before, after }: { before: string; after: string }): void {
  printLine(`  ${label}:`)
  for (const { type, value } of diffLines(before, after)) {
    if (type === 'same') continue
    const mark = type === 'added' ? '+' : '-'
    for (const line of value.replace(/\n$/, '').split('\n')) {
      printLine(`    ${mark} ${visibleText(line)}`)
    }
  }
}

type Call = RunComparison['calls'][number]['before']

function callWords(call: Call): [string, string] {
  if (!call) return ['', '']
  return [cutLine(`${call.name} ${call.arguments}`), call.outcome ?? 'not ended']
}

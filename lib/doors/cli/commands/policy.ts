import type { Command } from 'commander'
import { verdictWords } from '@/lib/domains/policy-cases/shape'
import type { PolicyTrial } from '@/lib/runs/replay/trial-shape'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCount } from '@/lib/words/format'
import { placeWords, trialSentences } from '@/lib/words/replay-words'
import { command } from '../command'
import { wholeNumber } from '../input/common-options'
import { readFileOrInput } from '../input/read-input'
import { printLine, printTable } from '../print'
import { terminal } from '../terminal'

const maxBytes = 8 * 1024 * 1024

type Options = { file: string; days?: number; group?: string; configuration?: string }

/** Adds the command that replays past runs with a draft of the policy. */
export function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('the rules, switches and limits of tools')
  addCheck(policy)
  command<Options>(policy, 'try', {
    description:
      'show which past runs a change would have made go otherwise, without storing or calling anything (exit code 0: none, 3: some)',
    options: (made) =>
      made
        .requiredOption(
          '-f, --file <file>',
          'the change, as a part of a site file; - reads standard input',
        )
        .option('--days <number>', 'number of days to look back (default: 30)', wholeNumber(1, 365))
        .option('--configuration <name>', 'only runs with this configuration (identifier or id)')
        .option('--group <name>', 'only runs of members of this group of people'),
    work: async ({ ctx, options: { file, days, ...named } }) => {
      const { draftOf } = await import('@/lib/site-file/policy-draft')
      const { parseSiteFile } = await import('@/lib/site-file/parse-site-file')
      const { runTrial, TrialInput } = await import('@/lib/runs/replay/try-policy')
      const { findConfiguration } = await import('@/lib/domains/configurations/reads')
      const { findGroup } = await import('@/lib/domains/groups/reads')
      const draft = await draftOf(
        ctx,
        parseSiteFile((await readFileOrInput(file, maxBytes)).toString('utf8')),
      )
      const configuration = named.configuration
        ? (await findConfiguration(ctx, named.configuration)).id
        : null
      const group = named.group ? (await findGroup(ctx, named.group)).id : null
      const input = TrialInput.parse({ draft, days, configuration, group })
      const trial = await runTrial(ctx, input, { onProgress: showProgress })
      if (terminal().read) terminal().writeError('\r\u001b[K')
      return {
        json: trial,
        text: () => printTrial(trial, input.days),
        exitCode: trialExitCode(trial),
      }
    },
  })
}

/** Asks all policy cases, and returns what the policy decides now about each. */
function addCheck(policy: Command): void {
  command(policy, 'check', {
    description:
      'ask all policy cases about the policy of now (exit code 0: all pass, 1: some fail, 4: there are none)',
    work: async ({ ctx }) => {
      const { policyCaseVerbs } = await import('@/lib/joined-verbs')
      const { rows } = await policyCaseVerbs.list(ctx, { sort: 'name' })
      const cases = rows.map(({ id, name, verdict, says }) => ({ id, name, verdict, says }))
      const red = cases.filter(({ verdict }) => verdict !== 'passed')
      const text = () => {
        for (const { name, verdict, says } of red)
          printLine(visibleText(`${verdictWords[verdict]}: ${name}. ${says}`))
        if (cases.length === 0) printLine('There are no policy cases, so nothing was asked.')
        else
          printLine(
            `${formatCount(cases.length - red.length)} of ${countOf(cases.length, 'policy case')} ${cases.length === 1 ? 'passes' : 'pass'}.`,
          )
      }
      return { json: { cases }, text, exitCode: cases.length === 0 ? 4 : red.length > 0 ? 1 : 0 }
    },
  })
}

/** Prints which past runs a change would have made go otherwise. */
export function printTrial(trial: PolicyTrial, days: number): void {
  const { changed, noted, runs, waysOut } = trial
  for (const sentence of [...trialSentences(trial, days), ...waysOut])
    printLine(visibleText(sentence))
  if (runs.length === 0) return
  printTable(
    ['AT', 'RUN', 'WHERE', 'TODAY', 'WITH THE CHANGE'],
    runs.map(({ createdAt, runId, place, today, draft }) => [
      createdAt,
      runId,
      placeWords(place),
      today,
      draft,
    ]),
  )
  const listed = changed + noted
  if (listed > runs.length) printLine(`Showing ${runs.length} of ${formatCount(listed)}.`)
}

/** Returns the exit code of a trial: 0 when no run would go otherwise, 3 when some would. */
export function trialExitCode({ changed }: PolicyTrial): number {
  return changed > 0 ? 3 : 0
}

/** Shows on a terminal how far a trial is. */
function showProgress(done: number, of: number): void {
  if (terminal().read)
    terminal().writeError(`\r${formatCount(done)} of ${countOf(of, 'run')} replayed`)
}

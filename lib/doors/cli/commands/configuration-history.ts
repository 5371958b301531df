import { type Command, InvalidArgumentError } from 'commander'
import type { ConfigurationVersionView } from '@/lib/domains/configurations/schemas'
import {
  type ConfigurationDifference,
  configurationListWords,
  diffConfigurations,
} from '@/lib/domains/configurations/shared/configuration-differences'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { boundedCost, runCostBound } from '@/lib/protocol/cost/cost'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { visibleText } from '@/lib/words/clean-text'
import { formatDuration, formatTokens } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { printDiff } from '../print-diff'
import { named } from './configuration-options'

const reads = () => import('@/lib/domains/configurations/reads')
const versions = () => import('@/lib/domains/configurations/version-verbs')

type VersionsOptions = { diff?: [number, number]; page?: number }

/** Adds what shows how a configuration works, and how it was: a test of it, its versions, and the way back. */
export function addConfigurationHistory(configuration: Command): void {
  command(configuration, 'test', {
    description: 'send one short real request with it, without tools; it costs money',
    args: named,
    work: ({ ctx, args: [name = ''] }) => test(ctx, name),
  })
  command<VersionsOptions>(configuration, 'versions', {
    description: 'list its versions, or compare two of them',
    args: named,
    options: (made) =>
      made
        .option('--diff <versions>', 'two versions, such as 3,5', twoVersions)
        .option('--page <number>', 'page of older versions', wholeNumber(1, 100_000)),
    work: async ({ ctx, args: [name = ''], options: { diff, page } }) => {
      const { id } = await (await reads()).findConfiguration(ctx, name)
      return diff ? compare(ctx, id, diff) : list(ctx, id, page)
    },
  })
  command<{ note?: string }>(configuration, 'restore', {
    description: 'restore an old version as a new version',
    confirms: true,
    args: named,
    options: (made) =>
      made
        .argument('<version>', 'a version that "versions" lists', wholeNumber(1, 1_000_000_000))
        .option('--note <text>', 'note for its history'),
    work: async ({ ctx, args: [name = '', version], options: { note } }) => {
      const restored = Number(version)
      const {
        id,
        version: now,
        form,
      } = await (await reads()).readEditableConfiguration(ctx, {
        id: name,
      })
      const { restoreConfigurationVersion } = await versions()
      const saved = await restoreConfigurationVersion(ctx, { id, restored, version: now, note })
      return {
        json: { id, restored, version: saved.version, changed: saved.changed },
        text: `Restored version ${restored} of ${form.identifier} as version ${saved.version}.`,
      }
    },
  })
}

function twoVersions(text: string): [number, number] {
  const match = /^(\d{1,9}),(\d{1,9})$/.exec(text)
  if (match) return [Number(match[1]), Number(match[2])]
  throw new InvalidArgumentError('Give two versions with a comma between them, such as 3,5.')
}

async function list(ctx: Ctx, id: string, page?: number) {
  const {
    versions: found,
    total,
    pageSize,
  } = await (await versions()).listConfigurationVersions(ctx, id, page)
  const shown = found.slice(0, pageSize)
  return {
    json: { versions: shown, total },
    text: () => {
      printTable(
        ['VERSION', 'WHEN', 'BY', 'CHANGED', 'NOTE'],
        shown.map((entry, index) => [
          String(entry.version),
          entry.createdAt,
          entry.createdByLabel,
          changedWords(found[index + 1], entry),
          entry.note,
        ]),
      )
      if (total > pageSize) printLine(`${total} in total; --page shows more.`)
    },
  }
}

function changedWords(
  before: ConfigurationVersionView | undefined,
  { form }: ConfigurationVersionView,
): string {
  if (!before) return 'first version'
  const labels = diffConfigurations(before.form, form).map(({ label }) => label)
  return labels.join(', ') || 'nothing'
}

async function compare(ctx: Ctx, id: string, [from, to]: [number, number]) {
  const { readConfigurationVersion } = await versions()
  const before = await readConfigurationVersion(ctx, id, from)
  const after = await readConfigurationVersion(ctx, id, to)
  const differences = diffConfigurations(before.form, after.form)
  return { json: differences, text: () => printDifferences(differences) }
}

function printDifferences(differences: readonly ConfigurationDifference[]): void {
  if (differences.length === 0) printLine('The versions are the same.')
  for (const each of differences) {
    printLine(`${each.label}:`)
    if (each.type === 'text') printDiff(each.before, each.after)
    else {
      printLine(`- ${visibleText(sideWords(each, each.before))}`)
      printLine(`+ ${visibleText(sideWords(each, each.after))}`)
    }
  }
}

function sideWords({ field }: ConfigurationDifference, side: string | string[]): string {
  return typeof side === 'string' ? side : configurationListWords(field, side)
}

/** Makes one short real run with a configuration; the exit code tells how it ended. */
async function test(ctx: Ctx, name: string) {
  const { startEngine } = await import('@/lib/runs/engine/start-engine')
  const { startTestRun } = await import('@/lib/runs/start/start-test-run')
  const { followRun } = await import('@/lib/doors/cli/runs/follow-run')
  const { id, identifier } = await (await reads()).findConfiguration(ctx, name)
  const engine = await startEngine('cli')
  try {
    const { runId } = await startTestRun(ctx, { id })
    let state: RunState = initialRunState
    const exitCode = await followRun(ctx, runId, (event) => {
      state = foldRun([event], state)
    })
    const result = resultOf(runId, state)
    return {
      json: { identifier, ...result },
      text: () => printResult(identifier, result),
      exitCode,
    }
  } finally {
    await engine.close()
  }
}

function resultOf(runId: string, state: RunState) {
  const { rounds, end } = state
  return {
    runId,
    answer: rounds.at(-1)?.text ?? '',
    failure: end?.failure || end?.reason !== 'completed' ? (end?.message ?? 'No end.') : null,
    inputTokens: end?.usage.inputTokens ?? 0,
    outputTokens: end?.usage.outputTokens ?? 0,
    costMicroUsd: end?.costMicroUsd ?? null,
    costBound: runCostBound(state),
    durationMs: end?.wallTimeMs ?? 0,
  }
}

function printResult(identifier: string, result: ReturnType<typeof resultOf>): void {
  const { failure, answer, inputTokens, outputTokens, durationMs, runId } = result
  const cost = boundedCost(result.costMicroUsd, result.costBound)
  if (failure) printLine(`${identifier} did not answer: ${visibleText(failure)}`)
  else printLine(`${identifier} answered: ${visibleText(answer.slice(0, 500))}`)
  printLine(
    `${formatDuration(durationMs)}, ${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out, ${cost}. Run ${runId}.`,
  )
}

import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import {
  type ConfigurationVersionView,
  listConfigurationVersions,
} from '@/lib/domains/configurations/list-configuration-versions'
import { readConfigurationVersion } from '@/lib/domains/configurations/read-configuration-version'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { restoreConfigurationVersion } from '@/lib/domains/configurations/restore-configuration-version'
import { visibleText } from '@/lib/protocol/clean-text'
import {
  type ConfigurationDifference,
  configurationListWords,
  diffConfigurations,
} from '@/lib/protocol/configuration-diff'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { printDiff } from './print-diff'

export type VersionsOptions = CommonOptions & { diff?: [number, number]; page?: number }
export type RestoreOptions = CommonOptions & { note?: string }

/** Prints the versions of a configuration, or the differences of two of them. */
export async function versionsAndPrint(name: string, options: VersionsOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConfiguration(ctx, name)
  if (options.diff) {
    const [from, to] = options.diff
    const before = await readConfigurationVersion(ctx, id, from)
    const after = await readConfigurationVersion(ctx, id, to)
    return printDifferences(diffConfigurations(before.form, after.form), options)
  }
  const { versions, total, pageSize } = await listConfigurationVersions(ctx, id, options.page)
  const shown = versions.slice(0, pageSize)
  if (options.json) return printJson({ versions: shown, total })
  printTable(
    ['VERSION', 'WHEN', 'BY', 'CHANGED', 'NOTE'],
    shown.map((entry, index) => [
      String(entry.version),
      entry.createdAt,
      entry.createdByLabel,
      changedWords(versions[index + 1], entry),
      entry.note,
    ]),
  )
  if (total > pageSize) printLine(`${total} in total; --page shows more.`)
}

function changedWords(
  before: ConfigurationVersionView | undefined,
  { form }: ConfigurationVersionView,
): string {
  if (!before) return 'first version'
  return (
    diffConfigurations(before.form, form)
      .map(({ label }) => label)
      .join(', ') || 'nothing'
  )
}

function printDifferences(
  differences: readonly ConfigurationDifference[],
  { json }: CommonOptions,
): void {
  if (json) {
    printJson(differences)
    return
  }
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

export async function restoreAndPrint(
  name: string,
  restored: number,
  options: RestoreOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, name)
  const { version } = await readEditableConfiguration(ctx, id)
  const { note } = options
  const saved = await restoreConfigurationVersion(ctx, id, { restored, version, note })
  if (options.json) return printJson({ id, restored, ...saved })
  printLine(`Restored version ${restored} of ${identifier} as version ${saved.version}.`)
}

import type { Command } from 'commander'
import type { VersionedVerbs } from '@/lib/edge/versioned-verbs'
import { ConflictError } from '@/lib/kernel/errors'
import type { Definition, Resource } from '@/lib/shape/resource'
import { keyField, untyped } from '@/lib/shape/resource'
import type { Difference } from '@/lib/shape/resource-differences'
import { command } from './command'
import { wholeNumber } from './input/common-options'
import { printLine, printTable } from './print'
import { namesIn, oneOf } from './resource-commands'

/** Adds the commands that list the versions of an object and restore one. */
export function addVersionCommands<D extends Definition>(
  group: Command,
  typed: Resource<D>,
  load: () => Promise<VersionedVerbs<D>>,
): void {
  const resource = untyped(typed)
  const args = oneOf(resource)
  const loaded = async () => {
    const { untypedVersionVerbs } = await import('@/lib/edge/versioned-verbs')
    const { untypedVerbs } = await import('@/lib/edge/resource-verbs')
    const verbs = await load()
    const { read } = untypedVerbs(verbs)
    return { read, ...untypedVersionVerbs(verbs) }
  }
  command(group, 'versions', {
    description: 'list what changed, when and by whom',
    args,
    work: async ({ ctx, args: [id = ''] }) => {
      const { findDifferences } = await import('@/lib/shape/resource-differences')
      const versions = await (await loaded()).versions(ctx, { id })
      const lines = versions.map(({ version, createdAt, createdByLabel, note, form }, index) => {
        const before = versions[index + 1]
        const changes = before ? findDifferences(resource, before.form, form) : []
        const labels = changes.map(({ label }) => label).join(', ')
        return [String(version), createdAt, createdByLabel, labels, note]
      })
      const heads = ['VERSION', 'WHEN', 'BY', 'CHANGED', 'NOTE']
      return { json: versions, text: () => printTable(heads, lines) }
    },
  })
  command(group, 'restore', {
    description: 'restore an old version as a new version',
    args,
    options: (made) =>
      made.argument('<version>', 'a version that "versions" lists', wholeNumber(1, 1_000_000)),
    work: async ({ ctx, args: [nameOrId = '', number] }) => {
      const { read, restore } = await loaded()
      const found = namesIn(resource, await read(ctx, { id: nameOrId }))
      const called = found[keyField(resource.fields) ?? 'id']
      const restored = Number(number)
      const { version, changed } = await restore(ctx, { id: found.id, version: restored })
      if (!changed) throw new ConflictError(`${called} is already the same as version ${restored}.`)
      const text = `Restored version ${restored} of ${called} as version ${version}.`
      return { json: { ...found, restored, version }, text }
    },
  })
}

/** Prints what an object became, field by field. */
export async function printDifferences(differences: readonly Difference[]): Promise<void> {
  const { printDiff } = await import('./print-diff')
  for (const { label, before, after } of differences) {
    printLine(`${label}:`)
    printDiff(`${before}\n`, `${after}\n`)
  }
}
